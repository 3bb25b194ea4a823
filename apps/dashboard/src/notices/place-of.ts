import type { LinkProps } from '@tanstack/react-router';
import type { DashboardData } from '@kurir/contracts/dashboard';

type Notice = DashboardData<'listNotices'>['notices'][number];

/** Where the person can do something about the notice. Null: the device, the webhook or the broadcast is gone. */
export function placeOf({
  kind,
  subject,
  name,
}: Pick<Notice, 'kind' | 'subject' | 'name'>): Pick<LinkProps, 'to' | 'params'> | null {
  if (kind === 'member.joined') return { to: '/members' };
  const isOfDevice = kind.startsWith('device.');
  const isOfBroadcast = kind === 'broadcast.finished';
  if (!isOfDevice && !isOfBroadcast && !kind.startsWith('webhook.')) return { to: '/billing' };
  if (name === null) return null;
  if (isOfBroadcast) return { to: '/broadcasts/$broadcastId', params: { broadcastId: subject } };
  return isOfDevice
    ? { to: '/devices/$deviceId', params: { deviceId: subject } }
    : { to: '/webhooks/$webhookId', params: { webhookId: subject } };
}
