/** Accounts with webhooks. Each has one device with the slowest pace, so that almost nothing but acceptance happens. */
import { type EventType, eventTypeNames } from '@kurir/contracts';
import { createSealer, type Sealer } from '@kurir/database';
import { changeWebhook, createWebhook, deleteWebhook, pingWebhook } from '@kurir/database/webhooks';
import { makeWebhookSecret, parseKey } from '@kurir/signing';
import { type BenchAccount, createBenchAccount } from '../gateway/bench-account.js';
import { linkDevices } from '../gateway/link-devices.js';
import type { MeasuredGateway } from '../gateway/measured-gateway.js';
import type { Load } from '../load/load.js';
import type { Setting } from '../processes/setting.js';
import type { Receiver } from './receiving.js';

export type Tenant = { readonly account: BenchAccount; readonly deviceIds: readonly string[] };

export type WebhookStage = {
  readonly setting: Setting;
  readonly gateway: MeasuredGateway;
  readonly load: Load;
  readonly receiver: Receiver;
  readonly sealer: Sealer;
  readonly tenants: readonly Tenant[];
};

export type Endpoint = {
  readonly accountId: BenchAccount['accountId'];
  readonly webhookId: Parameters<typeof pingWebhook>[1];
  readonly path: string;
};

export const sealerOf = ({ ground }: MeasuredGateway): Sealer => createSealer(parseKey(ground.masterKey));

export async function createTenants(setting: Setting, gateway: MeasuredGateway, count: number): Promise<Tenant[]> {
  const { database, network, ground } = gateway;
  const tenants: Tenant[] = [];
  while (tenants.length < count) {
    const account = await createBenchAccount(database, ground.masterKey);
    const surroundings = { database, network, accountId: account.accountId, tell: () => {} };
    const firstPhone = gateway.deviceIds.length + tenants.length;
    tenants.push({ account, deviceIds: await linkDevices(surroundings, { devices: 1, pacePerMinute: 1, firstPhone }) });
  }
  setting.tell(`${count} accounts have a device each`);
  return tenants;
}

export function firstTenant({ tenants: [tenant] }: WebhookStage): Tenant {
  if (tenant === undefined) throw new Error('there is no account');
  return tenant;
}

type Options = { readonly count: number; readonly types: readonly EventType[]; readonly enabled?: boolean };

let made = 0;

export async function createEndpoints(
  { gateway, receiver, sealer }: WebhookStage,
  { account: { accountId } }: Pick<Tenant, 'account'>,
  { count, types, enabled = true }: Options,
): Promise<Endpoint[]> {
  const endpoints: Endpoint[] = [];
  while (endpoints.length < count) {
    const path = `/${++made}`;
    const webhookId = await createWebhook(gateway.database, sealer, {
      accountId,
      url: receiver.urlOf(path),
      description: '',
      types,
      deviceIds: [],
      mode: 'parallel',
      maxPerSecond: null,
      enabled,
      secret: makeWebhookSecret(),
    });
    if (webhookId === 'too-many') throw new Error('the account has too many webhooks');
    endpoints.push({ accountId, webhookId, path });
  }
  return endpoints;
}

export async function enable({ gateway }: WebhookStage, endpoints: readonly Endpoint[]): Promise<void> {
  for (const endpoint of endpoints) await changeWebhook(gateway.database, endpoint, { enabled: true });
}

export async function remove({ gateway }: WebhookStage, endpoints: readonly Endpoint[]): Promise<void> {
  for (const endpoint of endpoints) await deleteWebhook(gateway.database, endpoint);
}

/** Waits until the worker has each webhook and its connections are open. Then the receiver forgets what arrived. */
export async function untilReady({ gateway, receiver }: WebhookStage, endpoints: readonly Endpoint[]): Promise<void> {
  await receiver.forget();
  for (const { webhookId } of endpoints) await pingWebhook(gateway.database, webhookId);
  await receiver.untilTaken(endpoints.length);
  await receiver.forget();
}

/** Gives the webhook everything, also what it gets only if it names it. */
export const allTypes: readonly EventType[] = eventTypeNames;
