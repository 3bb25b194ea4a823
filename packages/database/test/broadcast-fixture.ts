/** Broadcasts for tests, and the devices that send their messages. */
import type { AccountId, BroadcastId, MessageStatus, Values } from '@kurir/contracts';
import {
  cancelBroadcast,
  pauseBroadcast,
  resumeBroadcast,
  type ResumeScope,
  startBroadcast,
} from '../src/broadcasts/control-broadcast.js';
import { addRecipients, closeList, createBroadcast, type NewBroadcast } from '../src/broadcasts/create-broadcast.js';
import { driveBroadcast } from '../src/broadcasts/release/drive-broadcast.js';
import { noteContacts } from '../src/devices/device-contacts.js';
import type { LeaseToken } from '../src/sessions/lease-token.js';
import type { DatabaseFixture, Tenant } from './database-fixture.js';

export const numberOf = (i: number): string => String(6_281_300_000_000 + i);

export const rowOf = (recipient: string | null, values: Values = {}) => ({
  recipient,
  written: recipient ?? 'rubbish',
  values,
});

export type RecipientRow = {
  readonly position: number;
  readonly recipient: string;
  readonly state: number;
  readonly skip_reason: string | null;
  readonly device_id: string | null;
  readonly message_id: string | null;
  readonly round: number;
};

export type BroadcastRow = {
  readonly state: string;
  readonly paused_by: string | null;
  readonly reserved: number;
  readonly recipients: number;
  readonly ended_at: Date | null;
};

export function broadcastsOn(fixture: () => DatabaseFixture) {
  /** A broadcast that can start. */
  async function ready(
    tenant: Tenant,
    rows: readonly ReturnType<typeof rowOf>[],
    more: Partial<NewBroadcast> = {},
  ): Promise<BroadcastId> {
    const { database, accountKeys } = fixture();
    const { accountId, deviceId } = tenant;
    const id = await createBroadcast(
      database,
      accountKeys,
      {
        accountId,
        name: 'Promo',
        category: 'marketing',
        text: { text: 'Halo', footer: null },
        deviceIds: [deviceId],
        pacePerMinute: null,
        sendAt: null,
        createdBy: tenant.keyId,
        window: null,
        maxPerDay: null,
        guardFailed: null,
        guardOptedOut: null,
        ...more,
      },
      undefined,
    );
    if (id === 'no-such-device' || id === 'upload-used') throw new Error(id);
    await addRecipients(database, accountKeys, { id, accountId }, 0, rows);
    await closeList(database, id);
    return id;
  }

  /** Many recipients, each with its own number. */
  const many = (count: number, from = 0) => Array.from({ length: count }, (_, i) => rowOf(numberOf(from + i)));

  /** Steps until none makes sense at once. */
  async function drive(id: BroadcastId): Promise<void> {
    while (await driveBroadcast(fixture().database, fixture().accountKeys, id));
  }

  /** Sends what waits in the lane of a device, as far as it may go. Returns the recipients. */
  async function send(holder: LeaseToken, status: MessageStatus = 'sent'): Promise<string[]> {
    const recipients: string[] = [];
    for (;;) {
      const claim = await fixture().claim(holder);
      if (claim.kind !== 'claimed') return recipients;
      recipients.push(claim.message.recipient);
      await noteContacts(fixture().database, [
        { deviceId: holder.deviceId, recipient: claim.message.recipient, direction: 'wrote' },
      ]);
      await fixture().change(claim.message.id, `status = '${status}'`);
    }
  }

  const rows = (id: BroadcastId) =>
    fixture().query<RecipientRow>(
      `SELECT position, recipient, state, skip_reason, device_id, message_id, round FROM broadcast_recipients
       WHERE broadcast_id = $1 ORDER BY position`,
      [id],
    );

  async function broadcast(id: BroadcastId): Promise<BroadcastRow> {
    const [row] = await fixture().query<BroadcastRow>(
      `SELECT state, paused_by, recipients, ended_at,
         (SELECT coalesce(sum((part->>'count')::int), 0)::int FROM jsonb_array_elements(reservations) part) AS reserved
       FROM broadcasts WHERE id = $1`,
      [id],
    );
    if (row === undefined) throw new Error('there is no such broadcast');
    return row;
  }

  /** The quota of the account's only period. */
  async function quota(accountId: AccountId): Promise<{ taken: number; reserved: number }> {
    const [row] = await fixture().query<{ taken: number; reserved: number }>(
      'SELECT taken_quota AS taken, reserved_quota AS reserved FROM subscription_periods WHERE account_id = $1',
      [accountId],
    );
    if (row === undefined) throw new Error('there is no period');
    return row;
  }

  /** The messages of the broadcast, by status. */
  async function statuses(id: BroadcastId): Promise<Record<string, number>> {
    const found = await fixture().query<{ status: string; n: number }>(
      'SELECT status, count(*)::int AS n FROM messages WHERE broadcast_id = $1 GROUP BY status',
      [id],
    );
    return Object.fromEntries(found.map(({ status, n }) => [status, n]));
  }

  const whose = ({ accountId }: Tenant, id: BroadcastId) => ({ id, accountId });
  const start = (tenant: Tenant, id: BroadcastId, anyHour = true) =>
    startBroadcast(fixture().database, whose(tenant, id), anyHour, undefined);
  const pause = (tenant: Tenant, id: BroadcastId) => pauseBroadcast(fixture().database, whose(tenant, id), undefined);
  const resume = (tenant: Tenant, id: BroadcastId, scope: ResumeScope = 'pending') =>
    resumeBroadcast(fixture().database, whose(tenant, id), scope, undefined);
  const cancel = (tenant: Tenant, id: BroadcastId) => cancelBroadcast(fixture().database, whose(tenant, id), undefined);

  /** A broadcast that has started. */
  async function running(
    tenant: Tenant,
    list: readonly ReturnType<typeof rowOf>[],
    more: Partial<NewBroadcast> = {},
  ): Promise<BroadcastId> {
    const id = await ready(tenant, list, more);
    const started = await start(tenant, id);
    if (started.kind !== 'done') throw new Error(`not started: ${started.kind}`);
    return id;
  }

  return { ready, running, many, drive, send, rows, broadcast, quota, statuses, start, pause, resume, cancel };
}
