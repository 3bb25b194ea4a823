import type { LinkProps } from '@tanstack/react-router';
import type { DashboardData } from '@kurir/contracts/dashboard';

type Notice = DashboardData<'listNotices'>['notices'][number];

/** Where the person can do something about the notice. Null: the device or the webhook is gone. */
export function placeOf({
  kind,
  subject,
  name,
}: Pick<Notice, 'kind' | 'subject' | 'name'>): Pick<LinkProps, 'to' | 'params'> | null {
  const isOfDevice = kind.startsWith('device.');
  if (!isOfDevice && !kind.startsWith('webhook.')) return { to: '/billing' };
  if (name === null) return null;
  return isOfDevice
    ? { to: '/devices/$deviceId', params: { deviceId: subject } }
    : { to: '/webhooks/$webhookId', params: { webhookId: subject } };
}
