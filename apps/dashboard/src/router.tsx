/** The routes of the dashboard. The browser loads the code of a page when a person first opens it. */
import type { QueryClient } from '@tanstack/react-query';
import {
  createRootRouteWithContext,
  createRoute,
  createRouter,
  lazyRouteComponent,
  Outlet,
  redirect,
} from '@tanstack/react-router';
import { isSignedOut } from './http/api-failure.js';
import { searchOf } from './search.js';
import { meQuery } from './session/me.js';
import { BrokenPage } from './shell/broken-page.js';
import { NotFoundPage } from './shell/not-found-page.js';
import { Shell } from './shell/shell.js';

const root = createRootRouteWithContext<{ client: QueryClient }>()({ component: Outlet });

const signIn = createRoute({
  getParentRoute: () => root,
  path: '/sign-in',
  validateSearch: searchOf(['next'], ['reset']),
  component: lazyRouteComponent(() => import('./sign-in/sign-in-page.js'), 'SignInPage'),
});
const signUp = createRoute({
  getParentRoute: () => root,
  path: '/sign-up',
  validateSearch: searchOf(['next'], []),
  component: lazyRouteComponent(() => import('./sign-in/sign-up-page.js'), 'SignUpPage'),
});
const forgot = createRoute({
  getParentRoute: () => root,
  path: '/forgot',
  component: lazyRouteComponent(() => import('./sign-in/forgot-page.js'), 'ForgotPage'),
});
const reset = createRoute({
  getParentRoute: () => root,
  path: '/reset-password',
  validateSearch: searchOf(['token'], []),
  component: lazyRouteComponent(() => import('./sign-in/reset-page.js'), 'ResetPage'),
});
const join = createRoute({
  getParentRoute: () => root,
  path: '/join/$token',
  component: lazyRouteComponent(() => import('./sign-in/join-page.js'), 'JoinPage'),
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
  component: Shell,
});

const overview = createRoute({
  getParentRoute: () => signedIn,
  path: '/',
  component: lazyRouteComponent(() => import('./reports/overview-page.js'), 'OverviewPage'),
});
const devices = createRoute({
  getParentRoute: () => signedIn,
  path: '/devices',
  validateSearch: searchOf([], ['add']),
  component: lazyRouteComponent(() => import('./devices/devices-page.js'), 'DevicesPage'),
});
const device = createRoute({
  getParentRoute: () => signedIn,
  path: '/devices/$deviceId',
  component: lazyRouteComponent(() => import('./devices/device/device-page.js'), 'DevicePage'),
});
const handset = createRoute({
  getParentRoute: () => signedIn,
  path: '/handset',
  validateSearch: searchOf(['number'], []),
  component: lazyRouteComponent(() => import('./sandbox/handset-page.js'), 'HandsetPage'),
});
const messages = createRoute({
  getParentRoute: () => signedIn,
  path: '/messages',
  validateSearch: searchOf(['q', 'status', 'device', 'since', 'job'], []),
  component: lazyRouteComponent(() => import('./messages/messages-page.js'), 'MessagesPage'),
});
const conversations = createRoute({
  getParentRoute: () => signedIn,
  path: '/conversations',
  validateSearch: searchOf(['device'], ['unread']),
  component: lazyRouteComponent(() => import('./conversations/conversations-page.js'), 'ConversationsPage'),
});
const conversation = createRoute({
  getParentRoute: () => signedIn,
  path: '/conversations/$conversationId',
  validateSearch: searchOf(['device'], ['unread']),
  component: lazyRouteComponent(() => import('./conversations/chat/conversation-page.js'), 'ConversationPage'),
});
const send = createRoute({
  getParentRoute: () => signedIn,
  path: '/send',
  validateSearch: searchOf(['device', 'to'], []),
  component: lazyRouteComponent(() => import('./messages/send/send-page.js'), 'SendPage'),
});
const keys = createRoute({
  getParentRoute: () => signedIn,
  path: '/keys',
  validateSearch: searchOf([], ['create']),
  component: lazyRouteComponent(() => import('./keys/keys-page.js'), 'KeysPage'),
});
const signingDebugger = createRoute({
  getParentRoute: () => signedIn,
  path: '/debugger',
  component: lazyRouteComponent(() => import('./keys/debugger/debugger-page.js'), 'DebuggerPage'),
});
const webhooks = createRoute({
  getParentRoute: () => signedIn,
  path: '/webhooks',
  validateSearch: searchOf([], ['create']),
  component: lazyRouteComponent(() => import('./webhooks/webhooks-page.js'), 'WebhooksPage'),
});
const webhook = createRoute({
  getParentRoute: () => signedIn,
  path: '/webhooks/$webhookId',
  component: lazyRouteComponent(() => import('./webhooks/webhook/webhook-page.js'), 'WebhookPage'),
});
const events = createRoute({
  getParentRoute: () => signedIn,
  path: '/events',
  validateSearch: searchOf(['type', 'device'], []),
  component: lazyRouteComponent(() => import('./events/events-page.js'), 'EventsPage'),
});
const billing = createRoute({
  getParentRoute: () => signedIn,
  path: '/billing',
  component: lazyRouteComponent(() => import('./money/billing-page.js'), 'BillingPage'),
});
const members = createRoute({
  getParentRoute: () => signedIn,
  path: '/members',
  component: lazyRouteComponent(() => import('./accounts/members/members-page.js'), 'MembersPage'),
});
const audit = createRoute({
  getParentRoute: () => signedIn,
  path: '/audit',
  component: lazyRouteComponent(() => import('./accounts/audit/audit-page.js'), 'AuditPage'),
});
const notices = createRoute({
  getParentRoute: () => signedIn,
  path: '/notices',
  component: lazyRouteComponent(() => import('./notices/notices-page.js'), 'NoticesPage'),
});
const security = createRoute({
  getParentRoute: () => signedIn,
  path: '/security',
  component: lazyRouteComponent(() => import('./accounts/security/security-page.js'), 'SecurityPage'),
});
const admin = createRoute({
  getParentRoute: () => signedIn,
  path: '/admin',
  component: lazyRouteComponent(() => import('./operators/admin-page.js'), 'AdminPage'),
});

const pages = [
  overview,
  devices,
  device,
  handset,
  messages,
  conversations,
  conversation,
  send,
  keys,
  signingDebugger,
  webhooks,
  webhook,
  events,
  billing,
  members,
  audit,
  notices,
  security,
  admin,
];
const routeTree = root.addChildren([signIn, signUp, forgot, reset, join, signedIn.addChildren(pages)]);

export const createAppRouter = (client: QueryClient) =>
  createRouter({
    routeTree,
    basepath: '/app',
    context: { client },
    defaultPreload: 'intent',
    defaultPendingMs: 150,
    defaultErrorComponent: BrokenPage,
    defaultNotFoundComponent: NotFoundPage,
  });

declare module '@tanstack/react-router' {
  interface Register {
    router: ReturnType<typeof createAppRouter>;
  }
}
