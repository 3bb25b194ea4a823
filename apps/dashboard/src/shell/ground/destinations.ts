/** The list of pages. The sidebar, the palette and the shortcuts use it. */
import {
  Activity,
  Bell,
  BellOff,
  BookUser,
  Building2,
  CreditCard,
  FileText,
  Fingerprint,
  House,
  type LucideIcon,
  KeyRound,
  List,
  Megaphone,
  MessageSquareText,
  MessagesSquare,
  Radio,
  ScrollText,
  Send,
  Smartphone,
  TabletSmartphone,
  UserRound,
  Users,
  Webhook,
} from 'lucide-react';
import type { LinkProps } from '@tanstack/react-router';
import type { Me } from '../../session/me.js';
import { isAtLeast } from '../../session/me.js';
import type { shellTexts } from './texts.js';

type Name = keyof (typeof shellTexts)['en']['pages'];

export type Destination = {
  readonly name: Name;
  readonly to: NonNullable<LinkProps['to']>;
  readonly icon: LucideIcon;
  /** The key that opens the page after `g`. */
  readonly key: string;
  readonly isFor?: (me: Me) => boolean;
};

export type Group = {
  readonly name: keyof (typeof shellTexts)['en']['groups'] | null;
  readonly items: readonly Destination[];
};

/** Agents see conversations only. */
const seesAll = (me: Me): boolean => isAtLeast(me.account.role, 'viewer');

export const groups: readonly Group[] = [
  {
    name: null,
    items: [
      { name: 'overview', to: '/', icon: House, key: 'o', isFor: seesAll },
      { name: 'messages', to: '/messages', icon: MessageSquareText, key: 'm', isFor: seesAll },
      { name: 'conversations', to: '/conversations', icon: MessagesSquare, key: 'c' },
      { name: 'contacts', to: '/contacts', icon: BookUser, key: 'i', isFor: seesAll },
      { name: 'broadcasts', to: '/broadcasts', icon: Megaphone, key: 'r', isFor: seesAll },
      { name: 'suppressions', to: '/suppressions', icon: BellOff, key: 'p', isFor: seesAll },
      { name: 'send', to: '/send', icon: Send, key: 's', isFor: (me) => isAtLeast(me.account.role, 'developer') },
      { name: 'templates', to: '/templates', icon: FileText, key: 't', isFor: seesAll },
      { name: 'devices', to: '/devices', icon: Smartphone, key: 'd', isFor: seesAll },
      { name: 'handset', to: '/handset', icon: TabletSmartphone, key: 'h', isFor: (me) => me.sandbox && seesAll(me) },
    ],
  },
  {
    name: 'developers',
    items: [
      { name: 'keys', to: '/keys', icon: KeyRound, key: 'k', isFor: seesAll },
      {
        name: 'requests',
        to: '/requests',
        icon: List,
        key: 'q',
        isFor: (me) => isAtLeast(me.account.role, 'developer'),
      },
      { name: 'webhooks', to: '/webhooks', icon: Webhook, key: 'w', isFor: seesAll },
      { name: 'events', to: '/events', icon: Radio, key: 'v', isFor: seesAll },
      { name: 'debugger', to: '/debugger', icon: Activity, key: 'x', isFor: seesAll },
    ],
  },
  {
    name: 'account',
    items: [
      { name: 'billing', to: '/billing', icon: CreditCard, key: 'b', isFor: seesAll },
      { name: 'members', to: '/members', icon: Users, key: 'e', isFor: seesAll },
      {
        name: 'audit',
        to: '/audit',
        icon: ScrollText,
        key: 'l',
        isFor: (me) => isAtLeast(me.account.role, 'developer'),
      },
      { name: 'notices', to: '/notices', icon: Bell, key: 'n' },
      { name: 'profile', to: '/profile', icon: UserRound, key: 'u' },
      { name: 'security', to: '/security', icon: Fingerprint, key: 'y' },
      { name: 'admin', to: '/admin', icon: Building2, key: 'a', isFor: (me) => me.user.admin },
    ],
  },
];

/** The groups with the pages that the person may open, without empty ones. */
export const groupsFor = (me: Me): Group[] =>
  groups
    .map((group) => ({ ...group, items: group.items.filter((item) => item.isFor?.(me) ?? true) }))
    .filter(({ items }) => items.length > 0);

export const destinationsFor = (me: Me): Destination[] => groupsFor(me).flatMap(({ items }) => items);
