/** An account with everything that an audited change needs: devices, a key, a plan, members, an invitation and a message. */
import { randomBytes } from 'node:crypto';
import {
  type AccountId,
  type ApiKeyId,
  type ContactId,
  type ImportId,
  type MessageId,
  newId,
  type PlanId,
  type TemplateId,
  type UploadId,
  type WebhookId,
} from '@kurir/contracts';
import { choosePlan, createAccount, createPlan } from '../src/accounts/accounts.js';
import { createApiKey } from '../src/accounts/api-keys.js';
import { writeInvitation } from '../src/accounts/invitations.js';
import { addMember } from '../src/accounts/members.js';
import { suspendAccount } from '../src/operators/suspend-account.js';
import { requestEmailChange } from '../src/accounts/profile.js';
import { ensurePerson, setOperator } from '../src/accounts/people.js';
import { saveContact } from '../src/contacts/change-contact.js';
import { beginImport } from '../src/contacts/imports/create-import.js';
import type { Database } from '../src/postgres/connect.js';
import { createUpload } from '../src/uploads/create-upload.js';
import { readUpload } from '../src/uploads/read-upload.js';
import { createDevice } from '../src/devices/create-device.js';
import { requestLink } from '../src/devices/devices.js';
import { type Broadcasts, newBroadcasts } from './broadcast-changes.js';
import { createTemplate } from '../src/templates/change-template.js';
import { suppress } from '../src/suppressions/suppress.js';
import { createWebhook } from '../src/webhooks/create-webhook.js';
import { type DatabaseFixture, sealer, type Tenant } from './database-fixture.js';

export type World = {
  readonly tenant: Tenant;
  /** Another account, which is suspended. */
  readonly suspended: AccountId;
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
  /** The token of a link to a new address of the person. */
  readonly emailToken: string;
  readonly messageId: MessageId;
  readonly suppressed: string;
  readonly uploadId: UploadId;
  readonly importId: ImportId;
  readonly contact: { readonly accountId: Tenant['accountId']; readonly contactId: ContactId };
  readonly webhook: { readonly accountId: Tenant['accountId']; readonly webhookId: WebhookId };
  readonly broadcasts: Broadcasts;
  readonly template: { readonly accountId: Tenant['accountId']; readonly templateId: TemplateId };
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

export const aWish: Parameters<typeof beginImport>[3] = {
  columns: ['HP'],
  separator: ',',
  mapping: { phone: 'HP', name: null, locale: null, timeZone: null, attributes: {} },
  lists: [],
  consentSource: null,
  consentAt: null,
  onExisting: 'update',
};

async function newUpload(database: Database, accountId: AccountId): Promise<UploadId> {
  const uploadId = await createUpload(database, { accountId, fileName: null, bytes: 1 });
  if (uploadId === 'too-many') throw new Error(uploadId);
  return uploadId;
}

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
  const suspended = await createAccount(database, 'suspended');
  await suspendAccount(database, suspended, 'reported');
  const [unlinked, pairing] = [await createDevice(database, device), await createDevice(database, device)];
  await requestLink(database, accountId, pairing, { method: 'qr', phoneNumber: null });
  const { deviceId: contested } = await fixture().device(accountId);
  await fixture().query(`UPDATE devices SET state = 'connecting', state_reason = 'contested' WHERE id = $1`, [
    contested,
  ]);
  const key = { id: `kk_live_${randomBytes(8).toString('hex')}` as ApiKeyId, accountId };
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
  const asked = { actor: 'admin', action: 'person.email_change_requested' } as const;
  const { token: emailToken } = await requestEmailChange(database, person.id, `${newId('usr')}@b.example`, asked);
  if (emailToken === null) throw new Error('a new address is taken');
  await fixture().query(
    `INSERT INTO master_keys (id, proof, used_at) VALUES ('0badcafe', '', now() - interval '1 hour') ON CONFLICT DO NOTHING`,
  );
  const [message] = await fixture().accept(tenant);
  if (message === undefined) throw new Error('nothing was accepted');
  const webhookId = await createWebhook(database, sealer, { ...newWebhook, accountId });
  if (webhookId === 'too-many') throw new Error('too many webhooks');
  const named = { accountId, name: 'Pesanan', text: 'Halo', footer: null, createdBy: person.id };
  const templateId = await createTemplate(database, named);
  if (templateId === 'name-taken') throw new Error('a name is taken');
  const suppressed = '6281200000002';
  const wish = { accountId, phones: [suppressed], scope: 'all', reason: 'manual', actor: null } as const;
  await suppress(database, fixture().accountKeys, wish, undefined);
  const saved = await saveContact(database, accountId, { phone: '6281200000001', change: {} });
  if (saved === 'too-many-attributes') throw new Error('too many attributes');
  const [uploadId, imported] = [await newUpload(database, accountId), await newUpload(database, accountId)];
  const upload = await readUpload(database, accountId, imported);
  if (upload === null) throw new Error('no upload');
  const begun = await beginImport(database, accountId, upload, aWish);
  if (typeof begun === 'string') throw new Error(begun);
  return {
    tenant,
    suspended,
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
    emailToken,
    messageId: message.messageId,
    suppressed,
    uploadId,
    importId: begun.id,
    contact: { accountId, contactId: saved.contact.id },
    webhook: { accountId, webhookId },
    template: { accountId, templateId },
    broadcasts: await newBroadcasts(fixture, tenant),
  };
}
