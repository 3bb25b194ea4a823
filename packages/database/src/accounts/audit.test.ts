/** Every change in the audit log is committed with its row, or neither is. */
import { randomBytes } from 'node:crypto';
import { type AuditAction, newId, type SignInAction, textContent } from '@kurir/contracts';
import { beforeAll, describe, expect, test } from 'vitest';
import { accessChanges } from '../../test/access-changes.js';
import { newWorld, type World } from '../../test/audited-world-fixture.js';
import { deviceChanges } from '../../test/device-changes.js';
import { roomChanges } from '../../test/room-changes.js';
import { sealer, useDatabaseFixture } from '../../test/database-fixture.js';
import { requestLinkCancel } from '../devices/devices.js';
import { noteRestore } from '../events/events.js';
import { noteRewrapped } from '../master-key/admit-master-key.js';
import { acceptTogether } from '../messages/accept-messages.js';
import { cancelMessage, cancelMessages } from '../messages/cancel-messages.js';
import type { NewMessage } from '../messages/new-message.js';
import { openRenewal } from '../money/renewals.js';
import { beginAccountErasure } from '../retention/erase-account.js';
import { eraseNumber } from '../retention/erase-number.js';
import { changePlan, choosePlan, createAccount, createPlan, grantPeriod, readChosenPlan } from './accounts.js';
import { revokeApiKey } from './api-keys.js';
import { type Audit, noteReading } from './audit.js';
import { revokeInvitation } from './invitations.js';
import { writeHome } from '../contacts/change-contact.js';
import { writeInvoiceDetails } from '../money/invoices.js';
import { renameAccount } from './members.js';
import { resumeAccount, suspendAccount } from '../operators/suspend-account.js';
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
    category: 'transactional',
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
  broadcastId: null,
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

/** Rows for better-auth come after the change. Money, linked numbers and an erased person have their own tests. */
type NotHere =
  | SignInAction
  | 'renewal.paid'
  | 'payment.refunded'
  | 'payment.charged_back'
  | 'device.linked'
  | 'person.erased';

const changes: Readonly<Record<Exclude<AuditAction, NotHere>, Change>> = {
  'account.created': { run: (audit) => createAccount(fixture().database, 'new', audit) },
  'account.erased': {
    run: (audit) => beginAccountErasure(fixture().database, w.tenant.accountId, audit),
    subject: () => w.tenant.accountId,
  },
  'account.country_changed': {
    run: (audit) => writeHome(fixture().database, w.tenant.accountId, { country: 'MY', timeZone: null }, audit),
    subject: () => w.tenant.accountId,
  },
  'audit.exported': { run: (audit) => noteReading(fixture().database, audit), subject: () => null, reads: true },
  'account.exported': { run: (audit) => noteReading(fixture().database, audit), subject: () => null, reads: true },
  'account.invoice_details_changed': {
    run: (audit) =>
      writeInvoiceDetails(
        fixture().database,
        w.tenant.accountId,
        { name: 'PT Toko', taxNumber: null, address: null },
        audit,
      ),
    subject: () => w.tenant.accountId,
  },
  'account.renamed': {
    run: (audit) => renameAccount(fixture().database, w.tenant.accountId, `n ${Math.random()}`, audit),
    subject: () => w.tenant.accountId,
  },
  'account.resumed': {
    run: (audit) => resumeAccount(fixture().database, w.suspended, audit),
    subject: () => w.suspended,
  },
  'account.suspended': {
    run: (audit) => suspendAccount(fixture().database, w.tenant.accountId, 'reported', audit),
    subject: () => w.tenant.accountId,
  },
  'events.restored': { run: (audit) => noteRestore(fixture().database, audit), subject: () => null },
  'master_key.rewrapped': {
    run: (audit) => noteRewrapped(fixture().database, sealer, { isClean: true, audit }),
    subject: () => sealer.keyId,
  },
  'message.sent': {
    run: ({ accountId: _account, ...audit }) => {
      const id = newId('msg');
      const message = newMessage({ ...audit, subject: id }, id);
      return acceptTogether(fixture().database, fixture().accountKeys, [message]);
    },
  },
  'message.retried': {
    run: ({ accountId: _account, ...audit }) =>
      acceptTogether(fixture().database, fixture().accountKeys, [
        newMessage({ ...audit, subject: w.messageId }),
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
  'message.read': {
    run: (audit) => noteReading(fixture().database, audit, w.messageId),
    subject: () => w.messageId,
    reads: true,
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
  ...accessChanges(fixture, () => w),
  ...deviceChanges(fixture, () => w),
  ...roomChanges(fixture, () => w),
  'session.confirmed': {
    run: (audit) => confirmSession(fixture().database, w.sessionId, audit),
    subject: () => null,
  },
};

const tables =
  'contacts contact_imports webhooks webhook_replays accounts api_keys api_key_secrets devices event_log invitations master_keys members messages plan_choices plans renewals request_keys sessions subscription_periods users verifications templates template_versions suppressions broadcasts broadcast_audiences broadcast_recipients';

/** A digest of all rows that any of the changes could touch, for each table. */
const digests = tables
  .split(' ')
  .map(
    (table) =>
      `SELECT '${table}' AS name, md5(coalesce(string_agg(x::text, ' ' ORDER BY x::text), '')) FROM ${table} x`,
  )
  .join(' UNION ALL ');

const everything = () => fixture().query<{ name: string; md5: string }>(digests);

const rowsOf = (actor: string) =>
  fixture().query<{ accountId: string; action: string; subject: string | null; address: string | null }>(
    `SELECT l.account_id AS "accountId", action, subject, address
     FROM audit_log l LEFT JOIN audit_addresses d ON d.entry_id = l.id AND d.account_id = l.account_id AND d.actor = l.actor
     WHERE l.actor = $1`,
    [actor],
  );

/** Only the command line asks for it, so it comes with no request. */
const withoutRequest: AuditAction = 'device.forget_sessions_requested';

beforeAll(async () => {
  await fixture().query(`CREATE FUNCTION refuse_audit() RETURNS trigger LANGUAGE plpgsql AS
    $$ BEGIN RAISE EXCEPTION 'refused'; END $$`);
  await fixture().query(`CREATE TRIGGER refuse_audit BEFORE INSERT ON audit_log FOR EACH ROW
    WHEN (NEW.actor = '${refused}') EXECUTE FUNCTION refuse_audit()`);
});
/** The world is made once for the tests of a block. The first of them changes nothing in it. */
const useNewWorld = () =>
  beforeAll(async () => {
    w = await newWorld(fixture);
  });

describe.each(Object.entries(changes))('%s', (name, { run, subject, reads }) => {
  useNewWorld();
  const action = name as AuditAction; // the record has exactly these keys
  const auditBy = (actor: string): Audit => ({ accountId: w.tenant.accountId, actor, action, address: '203.0.113.7' });

  test('is not made when its row is refused', async () => {
    const before = await everything();
    await expect(run(auditBy(refused))).rejects.toThrow();
    expect(await everything()).toEqual(before);
  });

  test('is noted once, with its actor', async () => {
    const actor = newId('usr');
    const before = await everything();
    await run(auditBy(actor));
    const expected =
      subject === undefined ? expect.any(String) : (subject() ?? (action === 'session.confirmed' ? actor : null));
    const address = action === withoutRequest ? null : '203.0.113.7';
    // A new account has its own id.
    const accountId = action === 'account.created' ? expect.any(String) : w.tenant.accountId;
    expect(await rowsOf(actor)).toEqual([{ accountId, action, subject: expected, address }]);
    if (reads === undefined) expect(await everything()).not.toEqual(before);
    else expect(await everything()).toEqual(before);
  });
});

describe('a message of a person', () => {
  useNewWorld();
  test('is not noted again when it is a repeat', async () => {
    const [actor, id] = [newId('usr'), newId('msg')];
    const message = newMessage({ actor, action: 'message.sent', subject: id }, id);
    const again = { ...message, id: newId('msg') };
    for (const each of [message, again]) await acceptTogether(fixture().database, fixture().accountKeys, [each]);
    expect(await rowsOf(actor)).toHaveLength(1);
  });
});

describe('a change without effect', () => {
  useNewWorld();
  test('is not noted', async () => {
    const actor = newId('usr');
    const audit = { accountId: w.tenant.accountId, actor, action: 'device.link_cancelled' } as const;
    expect(await requestLinkCancel(fixture().database, w.tenant.accountId, w.unlinked, audit)).toBe(false);
    expect(await revokeApiKey(fixture().database, w.tenant.accountId, 'kk_test_none', audit)).toBe(false);
    expect(await revokeInvitation(fixture().database, w.tenant.accountId, 'inv_none', audit)).toBe(false);
    expect(await rowsOf(actor)).toEqual([]);
  });
});
