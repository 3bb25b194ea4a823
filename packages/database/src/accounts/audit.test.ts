/** Every change in the audit log is committed with its row, or neither is. */
import { randomBytes } from 'node:crypto';
import { type ApiKeyId, type AuditAction, newId, type SignInAction, textContent } from '@kurir/contracts';
import { beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { newWorld, type World } from '../../test/audited-world-fixture.js';
import { webhookChanges } from '../../test/webhook-changes.js';
import { sealer, useDatabaseFixture } from '../../test/database-fixture.js';
import { createDevice } from '../devices/create-device.js';
import { deleteDevice } from '../devices/delete-device.js';
import { changeDevice } from '../devices/device-settings.js';
import { requestLink, requestLinkCancel, requestUnlink } from '../devices/devices.js';
import { noteRestore } from '../events/events.js';
import { noteRewrapped } from '../master-key/admit-master-key.js';
import { acceptTogether } from '../messages/accept-messages.js';
import { cancelMessage, cancelMessages } from '../messages/cancel-messages.js';
import type { NewMessage } from '../messages/new-message.js';
import { openRenewal } from '../money/renewals.js';
import { beginAccountErasure } from '../retention/erase-account.js';
import { eraseNumber } from '../retention/erase-number.js';
import { requestReconnect } from '../sessions/contested-devices.js';
import { requestForgetSessions } from '../sessions/forget-sessions.js';
import { changePlan, choosePlan, createAccount, createPlan, grantPeriod, readChosenPlan } from './accounts.js';
import { changeApiKey, createApiKey, revokeApiKey, rotateApiKeySecret } from './api-keys.js';
import { type Audit, noteReading } from './audit.js';
import { acceptInvitation, revokeInvitation, writeInvitation } from './invitations.js';
import { changeMemberRole, removeMember, renameAccount } from './members.js';
import { confirmSession, setOperator } from './people.js';

const fixture = useDatabaseFixture();

/** The database refuses rows of this actor. */
const refused = 'usr_whose_rows_are_refused';

let w: World;

const newMessage = (audit: NewMessage['audit'], id = newId('msg')): NewMessage => ({
  id,
  accountId: w.tenant.accountId,
  deviceId: w.tenant.deviceId,
  keyId: w.person.id,
  requestId: 'req',
  repeatKey: randomBytes(32),
  position: 0,
  input: {
    content: textContent('Hi'),
    recipient: '6281234567890',
    clientRef: null,
    priority: 'normal',
    ttlSeconds: null,
    sendAt: null,
  },
  ...(audit === undefined ? {} : { audit }),
});

const filter = {
  status: null,
  deviceId: null,
  recipient: null,
  clientRef: null,
  priority: null,
  since: null,
  until: null,
};

async function renew(audit: Audit): Promise<unknown> {
  const plan = await readChosenPlan(fixture().database, w.tenant.accountId);
  if (plan === null) throw new Error('no plan was chosen');
  const open = () => Promise.resolve('http://localhost/pay');
  return openRenewal(
    fixture().database,
    w.tenant.accountId,
    plan,
    { method: 'ordinary', clientRef: null },
    open,
    newId('rnw'),
    audit,
  );
}

/** Makes the change with this audit. `subject` is given if the test knows it before the change. */
type Change = {
  readonly run: (audit: Audit) => Promise<unknown>;
  readonly subject?: () => string | null;
  /** The action changes nothing but the audit log. */
  readonly reads?: true;
};

/** Rows for better-auth come after the change. Returned money, linked numbers and an erased person have their own tests. */
type NotHere = SignInAction | 'payment.refunded' | 'payment.charged_back' | 'device.linked' | 'person.erased';

const changes: Readonly<Record<Exclude<AuditAction, NotHere>, Change>> = {
  'account.created': { run: (audit) => createAccount(fixture().database, 'new', audit) },
  'account.erased': {
    run: (audit) => beginAccountErasure(fixture().database, w.tenant.accountId, audit),
    subject: () => w.tenant.accountId,
  },
  'account.exported': { run: (audit) => noteReading(fixture().database, audit), subject: () => null, reads: true },
  'account.renamed': {
    run: (audit) => renameAccount(fixture().database, w.tenant.accountId, `n ${Math.random()}`, audit),
    subject: () => w.tenant.accountId,
  },
  'device.created': {
    run: (audit) =>
      createDevice(fixture().database, { accountId: w.tenant.accountId, name: 'n', network: 'simulator' }, audit),
  },
  'device.changed': {
    run: (audit) =>
      changeDevice(fixture().database, sealer, w.tenant.accountId, w.unlinked, { pacePerMinute: 7 }, audit),
    subject: () => w.unlinked,
  },
  'device.deleted': {
    run: (audit) => deleteDevice(fixture().database, w.tenant.accountId, w.unlinked, audit),
    subject: () => w.unlinked,
  },
  'device.link_requested': {
    run: (audit) =>
      requestLink(fixture().database, w.tenant.accountId, w.unlinked, { method: 'qr', phoneNumber: null }, audit),
    subject: () => w.unlinked,
  },
  'device.link_cancelled': {
    run: (audit) => requestLinkCancel(fixture().database, w.tenant.accountId, w.pairing, audit),
    subject: () => w.pairing,
  },
  'device.reconnect_requested': {
    run: (audit) => requestReconnect(fixture().database, w.tenant.accountId, w.contested, audit),
    subject: () => w.contested,
  },
  'device.unlink_requested': {
    run: (audit) => requestUnlink(fixture().database, w.tenant.accountId, w.tenant.deviceId, audit),
    subject: () => w.tenant.deviceId,
  },
  'device.forget_sessions_requested': {
    run: (audit) => requestForgetSessions(fixture().database, { deviceId: w.tenant.deviceId }, audit),
    subject: () => w.tenant.deviceId,
  },
  'events.restored': { run: (audit) => noteRestore(fixture().database, audit), subject: () => null },
  'master_key.rewrapped': {
    run: (audit) => noteRewrapped(fixture().database, sealer, { isClean: true, audit }),
    subject: () => sealer.keyId,
  },
  'invitation.revoked': {
    run: (audit) => revokeInvitation(fixture().database, w.tenant.accountId, w.invitation.id, audit),
    subject: () => w.invitation.id,
  },
  'key.created': {
    run: (audit) => {
      const id = `kk_test_${randomBytes(8).toString('hex')}` as ApiKeyId;
      const key = { id, accountId: w.tenant.accountId, secret: 's', name: 'k', scopes: [], allowedIps: [] };
      return createApiKey(fixture().database, sealer, key, audit);
    },
  },
  'key.changed': {
    run: (audit) => changeApiKey(fixture().database, { ...w.key, keyId: w.key.id }, { name: 'other' }, audit),
    subject: () => w.key.id,
  },
  'key.rotated': {
    run: (audit) => rotateApiKeySecret(fixture().database, sealer, w.key, 's2', 60, audit),
    subject: () => w.key.id,
  },
  'key.revoked': {
    run: (audit) => revokeApiKey(fixture().database, w.tenant.accountId, w.key.id, audit),
    subject: () => w.key.id,
  },
  'member.invited': {
    run: (audit) =>
      writeInvitation(
        fixture().database,
        { accountId: w.tenant.accountId, email: 'new@example.com', role: 'viewer' },
        audit,
      ),
  },
  'member.joined': {
    run: (audit) => acceptInvitation(fixture().database, w.invitation.token, w.guest, audit),
    subject: () => w.guest.id,
  },
  'member.made_viewer': {
    run: (audit) => changeMemberRole(fixture().database, w.tenant.accountId, w.person.id, 'viewer', audit),
    subject: () => w.person.id,
  },
  'member.made_developer': {
    run: (audit) => changeMemberRole(fixture().database, w.tenant.accountId, w.person.id, 'developer', audit),
    subject: () => w.person.id,
  },
  'member.made_owner': {
    run: (audit) => changeMemberRole(fixture().database, w.tenant.accountId, w.viewer.id, 'owner', audit),
    subject: () => w.viewer.id,
  },
  'member.removed': {
    run: (audit) => removeMember(fixture().database, w.tenant.accountId, w.person.id, audit),
    subject: () => w.person.id,
  },
  'message.sent': {
    run: ({ actor, action }) => {
      const id = newId('msg');
      const message = newMessage({ actor, action, subject: id }, id);
      return acceptTogether(fixture().database, fixture().accountKeys, [message]);
    },
  },
  'message.retried': {
    run: ({ actor, action }) =>
      acceptTogether(fixture().database, fixture().accountKeys, [
        newMessage({ actor, action, subject: w.messageId }),
        newMessage(undefined),
      ]),
    subject: () => w.messageId,
  },
  'message.cancelled': {
    run: (audit) => cancelMessage(fixture().database, w.tenant.accountId, w.messageId, audit),
    subject: () => w.messageId,
  },
  'messages.cancelled': {
    run: (audit) => cancelMessages(fixture().database, w.tenant.accountId, filter, audit),
    subject: () => null,
  },
  'messages.exported': { run: (audit) => noteReading(fixture().database, audit), subject: () => null, reads: true },
  'number.erased': {
    run: (audit) =>
      eraseNumber(fixture().database, sealer, { number: '6281234567890', accountId: w.tenant.accountId }, { audit }),
    subject: () => null,
  },
  'operator.made': {
    run: (audit) => setOperator(fixture().database, w.person.id, true, audit),
    subject: () => w.person.id,
  },
  'operator.ended': {
    run: (audit) => setOperator(fixture().database, w.viewer.id, false, audit),
    subject: () => w.viewer.id,
  },
  'period.granted': {
    run: async (audit) => {
      const plan = await readChosenPlan(fixture().database, w.tenant.accountId);
      if (plan !== null) await grantPeriod(fixture().database, w.tenant.accountId, plan, audit);
    },
    subject: () => w.planId,
  },
  'person.exported': { run: (audit) => noteReading(fixture().database, audit), subject: () => null, reads: true },
  'plan.changed': {
    run: (audit) => changePlan(fixture().database, w.planId, { priceRupiah: 7 }, audit),
    subject: () => w.planId,
  },
  'plan.chosen': {
    run: (audit) => choosePlan(fixture().database, w.tenant.accountId, w.planId, audit),
    subject: () => w.planId,
  },
  'plan.created': {
    run: (audit) =>
      createPlan(
        fixture().database,
        { name: `P ${newId('pln')}`, durationDays: 1, priceRupiah: 1, quota: null },
        audit,
      ),
  },
  'renewal.requested': { run: renew },
  ...webhookChanges(fixture, () => w),
  'session.confirmed': {
    run: (audit) => confirmSession(fixture().database, w.sessionId, audit),
    subject: () => null,
  },
};

const tables = [
  'webhooks',
  'webhook_replays',
  'accounts',
  'api_keys',
  'api_key_secrets',
  'devices',
  'event_log',
  'invitations',
  'master_keys',
  'members',
  'messages',
  'plan_choices',
  'plans',
  'renewals',
  'request_keys',
  'sessions',
  'subscription_periods',
  'users',
];

/** All rows that any of the changes could touch. */
async function everything(): Promise<string[]> {
  const texts = tables.map((table) =>
    fixture().query<{ row: string }>(`SELECT x::text AS row FROM ${table} x ORDER BY 1`),
  );
  return (await Promise.all(texts)).flat().map(({ row }) => row);
}

const rowsOf = (actor: string) =>
  fixture().query<{ accountId: string; action: string; subject: string | null }>(
    `SELECT account_id AS "accountId", action, subject FROM audit_log WHERE actor = $1`,
    [actor],
  );

beforeAll(async () => {
  await fixture().query(`CREATE FUNCTION refuse_audit() RETURNS trigger LANGUAGE plpgsql AS
    $$ BEGIN RAISE EXCEPTION 'refused'; END $$`);
  await fixture().query(`CREATE TRIGGER refuse_audit BEFORE INSERT ON audit_log FOR EACH ROW
    WHEN (NEW.actor = '${refused}') EXECUTE FUNCTION refuse_audit()`);
});
beforeEach(async () => {
  w = await newWorld(fixture);
});

describe.each(Object.entries(changes))('%s', (name, { run, subject, reads }) => {
  const action = name as AuditAction; // the record has exactly these keys
  const auditBy = (actor: string): Audit => ({ accountId: w.tenant.accountId, actor, action });

  test('is noted once, with its actor', async () => {
    const actor = newId('usr');
    const before = await everything();
    await run(auditBy(actor));
    const expected =
      subject === undefined ? expect.any(String) : (subject() ?? (action === 'session.confirmed' ? actor : null));
    // A new account has its own id.
    const accountId = action === 'account.created' ? expect.any(String) : w.tenant.accountId;
    expect(await rowsOf(actor)).toEqual([{ accountId, action, subject: expected }]);
    if (reads === undefined) expect(await everything()).not.toEqual(before);
    else expect(await everything()).toEqual(before);
  });

  test('is not made when its row is refused', async () => {
    const before = await everything();
    await expect(run(auditBy(refused))).rejects.toThrow();
    expect(await everything()).toEqual(before);
  });
});

describe('a message of a person', () => {
  test('is not noted again when it is a repeat', async () => {
    const [actor, id] = [newId('usr'), newId('msg')];
    const message = newMessage({ actor, action: 'message.sent', subject: id }, id);
    const again = { ...message, id: newId('msg') };
    for (const each of [message, again]) await acceptTogether(fixture().database, fixture().accountKeys, [each]);
    expect(await rowsOf(actor)).toHaveLength(1);
  });
});

describe('a change without effect', () => {
  test('is not noted', async () => {
    const actor = newId('usr');
    const audit = { accountId: w.tenant.accountId, actor, action: 'device.link_cancelled' } as const;
    expect(await requestLinkCancel(fixture().database, w.tenant.accountId, w.unlinked, audit)).toBe(false);
    expect(await revokeApiKey(fixture().database, w.tenant.accountId, 'kk_test_none', audit)).toBe(false);
    expect(await revokeInvitation(fixture().database, w.tenant.accountId, 'inv_none', audit)).toBe(false);
    expect(await rowsOf(actor)).toEqual([]);
  });
});
