/** An account with everything that an audited change needs: devices, a key, a plan, members, an invitation and a message. */
import { randomBytes } from 'node:crypto';
import { type ApiKeyId, type MessageId, newId, type PlanId, type WebhookId } from '@kurir/contracts';
import { choosePlan, createPlan } from '../src/accounts/accounts.js';
import { createApiKey } from '../src/accounts/api-keys.js';
import { writeInvitation } from '../src/accounts/invitations.js';
import { addMember } from '../src/accounts/members.js';
import { ensurePerson, setOperator } from '../src/accounts/people.js';
import { createDevice } from '../src/devices/create-device.js';
import { requestLink } from '../src/devices/devices.js';
import { createWebhook } from '../src/webhooks/create-webhook.js';
import { type DatabaseFixture, sealer, type Tenant } from './database-fixture.js';

export type World = {
  readonly tenant: Tenant;
  readonly unlinked: Tenant['deviceId'];
  readonly pairing: Tenant['deviceId'];
  readonly contested: Tenant['deviceId'];
  readonly key: { readonly id: ApiKeyId; readonly accountId: Tenant['accountId'] };
  readonly planId: PlanId;
  readonly planName: string;
  readonly person: { readonly id: Awaited<ReturnType<typeof ensurePerson>>; readonly email: string };
  /** Is also an operator. */
  readonly viewer: World['person'];
  readonly guest: World['person'];
  readonly sessionId: string;
  readonly invitation: { readonly id: string; readonly token: string };
  readonly messageId: MessageId;
  readonly webhook: { readonly accountId: Tenant['accountId']; readonly webhookId: WebhookId };
};

export const newWebhook = {
  url: 'https://example.com/hook',
  description: '',
  types: [],
  deviceIds: [],
  mode: 'parallel',
  maxPerSecond: null,
  secret: 's',
} as const;

async function newPerson(fixture: () => DatabaseFixture): Promise<World['person']> {
  const email = `${newId('usr').slice(4)}@example.com`;
  const id = await ensurePerson(fixture().database, { email, name: 'Budi', passwordHash: 'x', isAdmin: false });
  return { id, email };
}

export async function newWorld(fixture: () => DatabaseFixture): Promise<World> {
  const { database } = fixture();
  const tenant = await fixture().tenant();
  const { accountId } = tenant;
  const device = { accountId, name: 'Toko', network: 'simulator' } as const;
  const [unlinked, pairing] = [await createDevice(database, device), await createDevice(database, device)];
  await requestLink(database, accountId, pairing, { method: 'qr', phoneNumber: null });
  const { deviceId: contested } = await fixture().device(accountId);
  await fixture().query(`UPDATE devices SET state = 'connecting', state_reason = 'contested' WHERE id = $1`, [
    contested,
  ]);
  const key = { id: `kk_test_${randomBytes(8).toString('hex')}` as ApiKeyId, accountId };
  await createApiKey(database, sealer, { ...key, secret: 's', name: 'k', scopes: [], allowedIps: [] });
  const planName = `Paket ${newId('pln')}`;
  const planId = await createPlan(database, { name: planName, durationDays: 30, priceRupiah: 1_000, quota: null });
  await choosePlan(database, accountId, planId);
  const [person, viewer, guest] = [await newPerson(fixture), await newPerson(fixture), await newPerson(fixture)];
  await addMember(database, accountId, viewer.id, 'viewer');
  await setOperator(database, viewer.id, true);
  await addMember(database, accountId, person.id, 'owner');
  const other = await newPerson(fixture);
  await addMember(database, accountId, other.id, 'owner');
  const sessionId = newId('usr');
  await fixture().query(
    `INSERT INTO sessions (id, user_id, token, expires_at, created_at, updated_at) VALUES ($1, $2, $1, now() + interval '1 day', now(), now())`,
    [sessionId, person.id],
  );
  const written = await writeInvitation(database, { accountId, email: guest.email, role: 'viewer' });
  if (written === 'already-member') throw new Error('a guest is a member already');
  const invitation = { id: written.invitation.id, token: written.token };
  await fixture().query(
    `INSERT INTO master_keys (id, proof, used_at) VALUES ('0badcafe', '', now() - interval '1 hour') ON CONFLICT DO NOTHING`,
  );
  const [message] = await fixture().accept(tenant);
  if (message === undefined) throw new Error('nothing was accepted');
  const webhookId = await createWebhook(database, sealer, { ...newWebhook, accountId });
  if (webhookId === 'too-many') throw new Error('too many webhooks');
  return {
    tenant,
    unlinked,
    pairing,
    contested,
    key,
    planId,
    planName,
    person,
    viewer,
    guest,
    sessionId,
    invitation,
    messageId: message.messageId,
    webhook: { accountId, webhookId },
  };
}
