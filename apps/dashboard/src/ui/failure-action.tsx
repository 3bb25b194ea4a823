/** The place where a person can mend a failure. */
import { Link, type LinkProps } from '@tanstack/react-router';
import type { FailureCode } from '../http/api-failure.js';
import { defineTexts, useTexts } from '../i18n/texts.js';
import { Button } from './button.js';

const texts = defineTexts(
  {
    renew: 'Renew',
    plans: 'See the plans',
    devices: 'See the devices',
    signIn: 'Sign in',
    messages: 'See the messages',
    conversations: 'See the conversations',
    contacts: 'See the contacts',
    broadcasts: 'See the broadcasts',
    templates: 'See the templates',
    webhooks: 'See the webhooks',
    keys: 'See the keys',
    members: 'See the members',
    security: 'Open security',
    suppressions: 'See who opted out',
  },
  {
    renew: 'Perpanjang',
    plans: 'Lihat paket',
    devices: 'Lihat perangkat',
    signIn: 'Masuk',
    messages: 'Lihat pesan',
    conversations: 'Lihat percakapan',
    contacts: 'Lihat kontak',
    broadcasts: 'Lihat siaran',
    templates: 'Lihat templat',
    webhooks: 'Lihat webhook',
    keys: 'Lihat kunci',
    members: 'Lihat anggota',
    security: 'Buka keamanan',
    suppressions: 'Lihat yang berhenti',
  },
);

const places = {
  renew: '/billing',
  plans: '/billing',
  devices: '/devices',
  signIn: '/sign-in',
  messages: '/messages',
  conversations: '/conversations',
  contacts: '/contacts',
  broadcasts: '/broadcasts',
  templates: '/templates',
  webhooks: '/webhooks',
  keys: '/keys',
  members: '/members',
  security: '/security',
  suppressions: '/suppressions',
} as const satisfies Record<keyof (typeof texts)['en'], LinkProps['to']>;

const help: Partial<Record<FailureCode, keyof typeof places>> = {
  MISSING_CREDENTIALS: 'signIn',
  SESSION_REQUIRED: 'signIn',
  PLAN_EXPIRED: 'renew',
  QUOTA_EXHAUSTED: 'renew',
  NO_PLAN_CHOSEN: 'plans',
  PLAN_NOT_FOUND: 'plans',
  RENEWAL_NOT_FOUND: 'plans',
  DEVICE_LIMIT_REACHED: 'plans',
  DEVICE_NOT_FOUND: 'devices',
  DEVICE_NOT_CONNECTED: 'devices',
  DEVICE_NOT_LINKED: 'devices',
  JOB_NOT_FOUND: 'messages',
  CONVERSATION_NOT_FOUND: 'conversations',
  CONTACT_NOT_FOUND: 'contacts',
  BROADCAST_NOT_FOUND: 'broadcasts',
  TEMPLATE_NOT_FOUND: 'templates',
  WEBHOOK_NOT_FOUND: 'webhooks',
  KEY_NOT_FOUND: 'keys',
  MEMBER_NOT_FOUND: 'members',
  TWO_FACTOR_OFF: 'security',
  RECIPIENT_SUPPRESSED: 'suppressions',
};

export const hasAction = (code: FailureCode): boolean => help[code] !== undefined;

export function FailureAction({ code }: { code: FailureCode }) {
  const t = useTexts(texts);
  const place = help[code];
  if (place === undefined) return null;
  return (
    <Button asChild size="small">
      <Link to={places[place]}>{t[place]}</Link>
    </Button>
  );
}
