/** The routes of the dashboard. The browser loads the code of a page when a person first opens it. */
import type { QueryClient } from '@tanstack/react-query';
import { createRootRouteWithContext, createRoute, createRouter, Outlet, redirect } from '@tanstack/react-router';
import { isSignedOut } from './http/api-failure.js';
import { lazyPage } from './http/lazy-page.js';
import { parseSearch, searchOf, stringifySearch } from './search.js';
import { toFirstPage } from './session/first-page.js';
import { meQuery } from './session/me.js';
import { BrokenPage } from './shell/broken-page.js';
import { PendingPage } from './ui/layout/pending-page.js';
import { NotFoundPage } from './shell/not-found-page.js';
import { Shell } from './shell/shell.js';

const root = createRootRouteWithContext<{ client: QueryClient }>()({ component: Outlet });

const signIn = createRoute({
  getParentRoute: () => root,
  path: '/sign-in',
  validateSearch: searchOf(['next'], ['reset']),
  component: lazyPage(() => import('./sign-in/sign-in-page.js'), 'SignInPage'),
});
const signUp = createRoute({
  getParentRoute: () => root,
  path: '/sign-up',
  validateSearch: searchOf(['next'], []),
  component: lazyPage(() => import('./sign-in/sign-up-page.js'), 'SignUpPage'),
});
const forgot = createRoute({
  getParentRoute: () => root,
  path: '/forgot',
  component: lazyPage(() => import('./sign-in/forgot-page.js'), 'ForgotPage'),
});
const reset = createRoute({
  getParentRoute: () => root,
  path: '/reset-password',
  validateSearch: searchOf(['token'], []),
  component: lazyPage(() => import('./sign-in/reset-page.js'), 'ResetPage'),
});
const join = createRoute({
  getParentRoute: () => root,
  path: '/join/$token',
  component: lazyPage(() => import('./sign-in/join-page.js'), 'JoinPage'),
});

/** Its child routes need a session. Without one, the router redirects to the sign-in page. */
const signedIn = createRoute({
  getParentRoute: () => root,
  id: 'signed-in',
  beforeLoad: async ({ context, location }) => {
    try {
      await context.client.ensureQueryData(meQuery);
    } catch (failure) {
      const next = location.pathname === '/' ? {} : { next: location.href };
      if (isSignedOut(failure))
        // The router expects a thrown redirect, which is not an Error.
        // oxlint-disable-next-line typescript/only-throw-error
        throw redirect({ to: '/sign-in', search: next });
      throw failure;
    }
  },
  // Nothing stands for the frame. It shows as soon as the person is known, around the page that is on its way.
  pendingMs: Infinity,
  component: Shell,
});

const overview = createRoute({
  getParentRoute: () => signedIn,
  path: '/',
  beforeLoad: toFirstPage,
  component: lazyPage(() => import('./reports/overview-page.js'), 'OverviewPage'),
});
const devices = createRoute({
  getParentRoute: () => signedIn,
  path: '/devices',
  validateSearch: searchOf([], ['add']),
  component: lazyPage(() => import('./devices/devices-page.js'), 'DevicesPage'),
});
const device = createRoute({
  getParentRoute: () => signedIn,
  path: '/devices/$deviceId',
  component: lazyPage(() => import('./devices/device/device-page.js'), 'DevicePage'),
});
const handset = createRoute({
  getParentRoute: () => signedIn,
  path: '/handset',
  validateSearch: searchOf(['number'], []),
  component: lazyPage(() => import('./sandbox/handset-page.js'), 'HandsetPage'),
});
const messages = createRoute({
  getParentRoute: () => signedIn,
  path: '/messages',
  validateSearch: searchOf(
    ['q', 'status', 'device', 'since', 'from', 'to', 'broadcast', 'priority', 'key', 'reason', 'job'],
    [],
  ),
  component: lazyPage(() => import('./messages/list/messages-page.js'), 'MessagesPage'),
});
const conversations = createRoute({
  getParentRoute: () => signedIn,
  path: '/conversations',
  validateSearch: searchOf(['device', 'q'], ['unread']),
  component: lazyPage(() => import('./conversations/conversations-page.js'), 'ConversationsPage'),
});
const conversation = createRoute({
  getParentRoute: () => signedIn,
  path: '/conversations/$conversationId',
  validateSearch: searchOf(['device', 'q'], ['unread']),
  component: lazyPage(() => import('./conversations/chat/conversation-page.js'), 'ConversationPage'),
});
const suppressions = createRoute({
  getParentRoute: () => signedIn,
  path: '/suppressions',
  validateSearch: searchOf(['phone'], []),
  component: lazyPage(() => import('./suppressions/suppressions-page.js'), 'SuppressionsPage'),
});
const contacts = createRoute({
  getParentRoute: () => signedIn,
  path: '/contacts',
  validateSearch: searchOf(['q', 'list', 'attribute', 'consent'], []),
  component: lazyPage(() => import('./contacts/list/contacts-page.js'), 'ContactsPage'),
});
const importContacts = createRoute({
  getParentRoute: () => signedIn,
  path: '/contacts/import',
  component: lazyPage(() => import('./contacts/import/import-page.js'), 'ImportPage'),
});
const contact = createRoute({
  getParentRoute: () => signedIn,
  path: '/contacts/$contactId',
  component: lazyPage(() => import('./contacts/person/contact-page.js'), 'ContactPage'),
});
const broadcasts = createRoute({
  getParentRoute: () => signedIn,
  path: '/broadcasts',
  component: lazyPage(() => import('./broadcasts/broadcasts-page.js'), 'BroadcastsPage'),
});
const newBroadcast = createRoute({
  getParentRoute: () => signedIn,
  path: '/broadcasts/new',
  validateSearch: searchOf(['step', 'q', 'list', 'attribute', 'consent'], ['contacts']),
  component: lazyPage(() => import('./broadcasts/wizard/new-broadcast-page.js'), 'NewBroadcastPage'),
});
const broadcast = createRoute({
  getParentRoute: () => signedIn,
  path: '/broadcasts/$broadcastId',
  validateSearch: searchOf(['outcome'], []),
  component: lazyPage(() => import('./broadcasts/live/broadcast-page.js'), 'BroadcastPage'),
});
const send = createRoute({
  getParentRoute: () => signedIn,
  path: '/send',
  validateSearch: searchOf(['device', 'to'], []),
  component: lazyPage(() => import('./messages/send/send-page.js'), 'SendPage'),
});
const keys = createRoute({
  getParentRoute: () => signedIn,
  path: '/keys',
  validateSearch: searchOf([], ['create']),
  component: lazyPage(() => import('./keys/keys-page.js'), 'KeysPage'),
});
const requests = createRoute({
  getParentRoute: () => signedIn,
  path: '/requests',
  validateSearch: searchOf(['key', 'outcome', 'operation', 'code', 'request'], []),
  component: lazyPage(() => import('./requests/requests-page.js'), 'RequestsPage'),
});
const signingDebugger = createRoute({
  getParentRoute: () => signedIn,
  path: '/debugger',
  component: lazyPage(() => import('./keys/debugger/debugger-page.js'), 'DebuggerPage'),
});
const webhooks = createRoute({
  getParentRoute: () => signedIn,
  path: '/webhooks',
  validateSearch: searchOf([], ['create']),
  component: lazyPage(() => import('./webhooks/webhooks-page.js'), 'WebhooksPage'),
});
const webhook = createRoute({
  getParentRoute: () => signedIn,
  path: '/webhooks/$webhookId',
  component: lazyPage(() => import('./webhooks/webhook/webhook-page.js'), 'WebhookPage'),
});
const templates = createRoute({
  getParentRoute: () => signedIn,
  path: '/templates',
  component: lazyPage(() => import('./templates/templates-page.js'), 'TemplatesPage'),
});
const template = createRoute({
  getParentRoute: () => signedIn,
  path: '/templates/$templateId',
  component: lazyPage(() => import('./templates/editor/template-page.js'), 'TemplatePage'),
});
const events = createRoute({
  getParentRoute: () => signedIn,
  path: '/events',
  validateSearch: searchOf(['type', 'device'], []),
  component: lazyPage(() => import('./events/events-page.js'), 'EventsPage'),
});
const billing = createRoute({
  getParentRoute: () => signedIn,
  path: '/billing',
  component: lazyPage(() => import('./money/billing-page.js'), 'BillingPage'),
});
const members = createRoute({
  getParentRoute: () => signedIn,
  path: '/members',
  validateSearch: searchOf([], ['invite']),
  component: lazyPage(() => import('./accounts/members/members-page.js'), 'MembersPage'),
});
const audit = createRoute({
  getParentRoute: () => signedIn,
  path: '/audit',
  validateSearch: searchOf(['group', 'actor', 'subject', 'since', 'from', 'to'], []),
  component: lazyPage(() => import('./accounts/audit/audit-page.js'), 'AuditPage'),
});
const notices = createRoute({
  getParentRoute: () => signedIn,
  path: '/notices',
  component: lazyPage(() => import('./notices/notices-page.js'), 'NoticesPage'),
});
const profile = createRoute({
  getParentRoute: () => signedIn,
  path: '/profile',
  component: lazyPage(() => import('./accounts/profile/profile-page.js'), 'ProfilePage'),
});
const confirmEmail = createRoute({
  getParentRoute: () => signedIn,
  path: '/confirm-email',
  validateSearch: searchOf(['token'], []),
  component: lazyPage(() => import('./accounts/profile/confirm-email-page.js'), 'ConfirmEmailPage'),
});
const security = createRoute({
  getParentRoute: () => signedIn,
  path: '/security',
  component: lazyPage(() => import('./accounts/security/security-page.js'), 'SecurityPage'),
});
const admin = createRoute({
  getParentRoute: () => signedIn,
  path: '/admin',
  component: lazyPage(() => import('./operators/admin-page.js'), 'AdminPage'),
});
/** An address without a page. The navigation stays. */
const unknown = createRoute({ getParentRoute: () => signedIn, path: '$', component: NotFoundPage });

const pages = [
  overview,
  devices,
  device,
  handset,
  messages,
  conversations,
  conversation,
  contacts,
  importContacts,
  contact,
  broadcasts,
  newBroadcast,
  broadcast,
  suppressions,
  send,
  keys,
  requests,
  signingDebugger,
  webhooks,
  webhook,
  templates,
  template,
  events,
  billing,
  members,
  audit,
  notices,
  profile,
  confirmEmail,
  security,
  admin,
  unknown,
];
const routeTree = root.addChildren([signIn, signUp, forgot, reset, join, signedIn.addChildren(pages)]);

export const createAppRouter = (client: QueryClient) =>
  createRouter({
    routeTree,
    basepath: '/app',
    parseSearch,
    stringifySearch,
    context: { client },
    defaultPreload: 'intent',
    defaultPendingMs: 150,
    defaultPendingMinMs: 0,
    defaultPendingComponent: PendingPage,
    defaultErrorComponent: BrokenPage,
    defaultNotFoundComponent: NotFoundPage,
  });

declare module '@tanstack/react-router' {
  interface Register {
    router: ReturnType<typeof createAppRouter>;
  }
}
