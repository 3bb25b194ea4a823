/** Tests from the route table that other accounts, lower roles, other sites and strangers are refused. */
import {
  type Access,
  type OperationNameForPeople,
  type OperationForPeople,
  operationNamesForPeople,
  operationsForPeople,
  type MemberRole,
} from '@kurir/contracts/dashboard';
import { choosePlan, createPlan, setOperator } from '@kurir/database';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createConnectedDevice, createKey } from '../../test/customer-fixture.js';
import { dashboardCalls, type Names, nobody } from '../../test/dashboard-calls.js';
import { expectErrorEnvelope, expectSuccessEnvelope } from '../../test/expect-envelope.js';
import { Browser, headersOf, type Person, signUp, signUpAs } from '../../test/person.js';
import { rolesByRoutes } from '../../test/roles-by-routes.js';
import { writeTo } from '../../test/inbound-fixture.js';
import { aMessage, sendSigned } from '../../test/signed-request.js';
import { startTestApi, type TestApi } from '../../test/test-api.js';
import { type FakeSimulator, startFakeSimulator } from '../../test/fake-simulator.js';

let t: TestApi;
let simulator: FakeSimulator;
beforeAll(async () => {
  simulator = await startFakeSimulator();
  t = await startTestApi({ KURIR_TRUST_PROXY: 1, KURIR_SIMULATOR_URL: simulator.url });
});
afterAll(async () => {
  await t.close();
  await simulator.close();
});

type Route = Pick<OperationForPeople, 'path' | 'confirmed'> & {
  readonly method: string;
  readonly access: Access | null;
  readonly agents?: true;
};
const routeOf = (operation: OperationNameForPeople): Route => operationsForPeople[operation];

/** A stream does not end by itself, so only its head is read. */
async function outcomeOf(browser: Browser, operation: OperationNameForPeople, names: Names) {
  const { method, path } = routeOf(operation);
  const parts = dashboardCalls[operation](names);
  const { params = {}, query, body } = parts;
  const filled = path.replace(/\{(\w+)\}/g, (_whole, name: string) => encodeURIComponent(params[name] ?? 'none'));
  const answer = await browser.fetch(
    method,
    query === undefined ? filled : `${filled}?${query}`,
    body,
    headersOf(parts),
  );
  const isJson = answer.headers.get('content-type')?.startsWith('application/json') === true;
  if (operation === 'streamEvents' && !isJson) {
    await answer.body?.cancel();
    return { status: answer.status, text: '' };
  }
  const text = await answer.text();
  if (isJson && answer.ok) expectSuccessEnvelope(answer.status, text);
  if (!answer.ok) expectErrorEnvelope(answer.status, text);
  return { status: answer.status, text };
}

const planOf = async (name: string) =>
  createPlan(t.database, { name, durationDays: 30, priceRupiah: 150_000, quota: null });

/** Makes an account that has one of everything. */
async function createVictim(): Promise<{ person: Person; names: Names }> {
  const person = await signUp(t.url);
  const { accountId, browser, userId } = person;
  const deviceId = await createConnectedDevice(t.database, accountId);
  const [clientRef, recipient] = [`ref-${accountId}`, '6281111111111'];
  const body = { ...aMessage, phone_destination: recipient, client_ref: clientRef };
  const sent = await browser.call('sendMessage', { deviceId, body });
  const key = await createKey(t.database, accountId);
  const planId = await planOf('Paket');
  await choosePlan(t.database, accountId, planId);
  const renewal = await browser.call('renewAccount');
  const invited = await browser.call('inviteMember', { body: { email: `${accountId}@example.com`, role: 'viewer' } });
  const webhook = await browser.call('createWebhook', { body: { url: 'https://example.com/hook' } });
  const { webhook_id: webhookId } = webhook.body.data['webhook'] as { webhook_id: string };
  const template = await browser.call('createTemplate', { body: { name: 'Rahasia', text: 'Halo' } });
  await browser.call('addSuppressions', { body: { phone: recipient } });
  const broadcast = await browser.call('createBroadcast', {
    body: { name: 'Rahasia', message: 'Halo', device_ids: [deviceId] },
  });
  const upload = await browser.call('createUpload', { body: { bytes: 4 } });
  await t.database.pool.query(
    `INSERT INTO contact_imports (id, account_id, upload_id, bytes, country, mapping, on_existing) VALUES ($1, $2, $1, 1, 'ID', '{}', 'keep')`,
    [`imp_${accountId.slice(4)}`, accountId],
  );
  const saved = await browser.call('saveContact', { body: { phone: `+${recipient}` } });
  const { contact_id: contactId } = saved.body.data['contact'] as { contact_id: string };
  const { events } = (await browser.call('listRecentEvents', {})).body.data;
  const [{ id: eventId } = { id: 'none' }] = events as { id: string }[];
  const idOf = (data: Record<string, unknown>, field: string) => String(data[field]);
  return {
    person,
    names: {
      deviceId,
      clientRef,
      recipient,
      accountId,
      userId,
      planId: nobody.planId,
      keyId: key.id,
      jobId: idOf(sent.body.data, 'job_id'),
      conversationId: await writeTo(t.database, deviceId, 'Halo'),
      contactId,
      uploadId: idOf(upload.body.data, 'upload_id'),
      importId: `imp_${accountId.slice(4)}`,
      renewalId: idOf(renewal.body.data, 'renewal_id'),
      webhookId,
      broadcastId: idOf(broadcast.body.data, 'broadcast_id'),
      templateId: idOf(template.body.data, 'template_id'),
      eventId,
      invitationId: idOf(invited.body.data, 'invitation_id'),
    },
  };
}

const tables =
  'devices messages conversations inbound_messages contacts uploads contact_imports api_keys members invitations renewals plan_choices subscription_periods ledger_entries webhooks templates broadcasts broadcast_audiences suppressions audit_log';

/** Returns all rows of an account. */
async function stored(accountId: string): Promise<unknown> {
  const rows = await Promise.all(
    tables
      .split(' ')
      .map((table) =>
        t.database.pool.query(`SELECT * FROM ${table} x WHERE account_id = $1 ORDER BY x::text`, [accountId]),
      ),
  );
  return rows.map((result) => result.rows as unknown[]);
}

/** Leaves out the parts that are new in every answer. */
const essence = ({ status, text }: { status: number; text: string }) => ({
  status,
  text: text
    .replace(/"(next|live)_cursor":"[0-9a-z]+(-[0-9a-z]+){2,3}"/g, '"$1_cursor":"…"')
    .replace(/\b(dev|whk|tpl|brc|key|inv|msg|acc|usr|rnw|aud|con|upl)_[0-9a-z]{26}\b/g, '$1_…')
    .replace(/kk_(live|test)_\w+|ks_(live|test)_[\w-]+/g, 'k…')
    .replace(/\/pay\/[\w-]+/g, '/pay/…')
    .replace(/\b198\.51\.\d+\.\d+\b/g, 'address')
    .replace(/\w+@example\.com/g, '…@example.com')
    .replace(/[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}/g, '…')
    .replace(/\d{4}-\d\d-\d\dT[\d:.]+Z/g, 'T'),
});

describe('another account’s ids', () => {
  let victim: Person;
  let names: Names;
  /** Two equal people. They send the same requests in the same order, so that only the ids could make a difference. */
  let strangers: readonly [Person, Person];

  beforeAll(async () => {
    ({ person: victim, names } = await createVictim());
    strangers = [await signUp(t.url), await signUp(t.url)];
  });

  test.each(operationNamesForPeople.filter((operation) => routeOf(operation).access !== 'admin'))(
    'give the same answer of %s as unknown ids, and that account stays as it was',
    async (operation) => {
      const before = await stored(victim.accountId);
      const answer = await outcomeOf(strangers[0].browser, operation, names);
      const same = await outcomeOf(strangers[1].browser, operation, { ...nobody, recipient: names.recipient });
      expect(essence(answer)).toEqual(essence(same));
      for (const [field, value] of Object.entries(names))
        if (field !== 'recipient' && field !== 'planId') expect(answer.text, field).not.toContain(value);
      expect(await stored(victim.accountId)).toEqual(before);
    },
  );
});

const roles: readonly MemberRole[] = ['agent', 'viewer', 'developer', 'owner'];

describe('roles by routes', () => {
  type CallerIdentity = { readonly role: MemberRole | 'nobody' | 'admin'; readonly browser: Browser };
  let askers: readonly CallerIdentity[];
  let names: Names;

  beforeAll(async () => {
    const victim = await createVictim();
    ({ names } = victim);
    const { accountId } = victim.person;
    const members = await Promise.all(
      roles.map(
        async (role): Promise<CallerIdentity> => ({
          role,
          browser: (await signUpAs(t.url, t.database, accountId, role)).browser,
        }),
      ),
    );
    const admin = await signUp(t.url);
    await setOperator(t.database, admin.userId, true);
    askers = [{ role: 'nobody', browser: new Browser(t.url) }, ...members, { role: 'admin', browser: admin.browser }];
  });

  /** An agent may send only into a conversation, and these requests name a number. */
  const inConversation: readonly string[] = ['sendMessage', 'chatPresence'];

  function expected(
    operation: OperationNameForPeople,
    role: CallerIdentity['role'],
  ): 'passes' | 'SESSION_REQUIRED' | 'ROLE_NOT_ALLOWED' {
    const { access, agents } = routeOf(operation);
    if (access === 'anyone') return 'passes';
    if (role === 'nobody') return 'SESSION_REQUIRED';
    if (access === 'signed-in') return 'passes';
    if (access === 'admin') return role === 'admin' ? 'passes' : 'ROLE_NOT_ALLOWED';
    if (role === 'agent' && agents === true) return inConversation.includes(operation) ? 'ROLE_NOT_ALLOWED' : 'passes';
    // Each operator owns an account.
    return role === 'admin' || (access !== null && roles.indexOf(role) >= roles.indexOf(access))
      ? 'passes'
      : 'ROLE_NOT_ALLOWED';
  }

  test('equal the handwritten list', () => {
    const found = operationNamesForPeople.map((operation) => {
      const { access, agents, confirmed } = routeOf(operation);
      const role = agents === true ? `${access} or agent` : String(access);
      return [operation, confirmed === undefined ? role : `${role} confirmed`];
    });
    expect(Object.fromEntries(found)).toEqual(rolesByRoutes);
  });

  test.each(operationNamesForPeople)('%s', async (operation) => {
    for (const { role, browser } of askers) {
      const { text } = await outcomeOf(
        browser,
        operation,
        role === 'nobody' || role === 'viewer' ? names : { ...nobody, accountId: names.accountId },
      );
      const code = /"code":"(SESSION_REQUIRED|ROLE_NOT_ALLOWED)"/.exec(text)?.[1] ?? 'passes';
      expect(code, `${role} on ${operation}`).toBe(expected(operation, role));
    }
  });
});

describe('other sites', () => {
  const changing = operationNamesForPeople.filter((operation) => routeOf(operation).method !== 'GET');
  let person: Person;
  let names: Names;
  beforeAll(async () => {
    ({ person, names } = await createVictim());
  });

  const foreign: readonly (readonly [string, Record<string, string>])[] = [
    ['Sec-Fetch-Site: cross-site', { 'Sec-Fetch-Site': 'cross-site' }],
    ['Sec-Fetch-Site: same-site', { 'Sec-Fetch-Site': 'same-site' }],
    ['Sec-Fetch-Site: none, which no page can send', { 'Sec-Fetch-Site': 'none' }],
    ['an Origin of another site', { Origin: 'https://evil.example' }],
    ['an opaque Origin', { Origin: 'null' }],
  ];

  test.each(foreign)('cannot change anything: %s', async (_name, headers) => {
    const before = await stored(person.accountId);
    for (const operation of changing) {
      const parts = dashboardCalls[operation](names);
      const answer = await person.browser.call(operation, { ...parts, headers });
      expect(answer.body.code, operation).toBe('CROSS_SITE_REQUEST');
    }
    expect(await stored(person.accountId)).toEqual(before);
  });

  test('cannot sign anybody in or out', async () => {
    const { browser } = await signUp(t.url);
    const answer = await browser.fetch('POST', '/app/api/auth/sign-out', {}, { Origin: 'https://evil.example' });
    expect(answer.status).toBe(403);
    expect((await browser.call('readMe')).status).toBe(200);
  });

  test('a request without an origin changes nothing', async () => {
    const { browser } = await signUp(t.url);
    const answer = await fetch(`${t.url}/api/v1/devices`, {
      method: 'POST',
      headers: { Cookie: browser.cookie, 'Content-Type': 'application/json' },
      body: JSON.stringify({ name: 'Toko' }),
    });
    expect(await answer.json()).toMatchObject({ code: 'CROSS_SITE_REQUEST' });
  });

  test('cannot read', async () => {
    const { browser } = await signUp(t.url);
    const answer = await browser.call('listKeys', { headers: { 'Sec-Fetch-Site': 'cross-site' } });
    expect(answer.body.code).toBe('CROSS_SITE_REQUEST');
  });
});

describe('a page and a program in one request', () => {
  let person: Person;
  let names: Names;
  beforeAll(async () => {
    ({ person, names } = await createVictim());
  });

  test.each([{ 'X-API-Key': 'kk_test_nobody' }, { 'X-Signature': 'a'.repeat(64) }, { 'X-Timestamp': '1763690000' }])(
    'with %j the session is ignored',
    async (shown) => {
      const before = await stored(person.accountId);
      const parts = { deviceId: names.deviceId, body: aMessage, headers: shown };
      expect((await person.browser.call('sendMessage', parts)).body.code).toBe('MISSING_CREDENTIALS');
      expect(await stored(person.accountId)).toEqual(before);
    },
  );

  test('a session does not replace a wrong signature', async () => {
    const headers = {
      'X-API-Key': names.keyId,
      'X-Timestamp': String(Date.now()),
      'X-Signature': 'a'.repeat(64),
    };
    const answer = await person.browser.call('listMessages', { headers });
    expect(answer.body.code).toBe('INVALID_SIGNATURE');
  });

  test('a bulk request is only for programs', async () => {
    const { browser } = person;
    const answer = await browser.fetch('POST', '/api/v1/messages/bulk', { messages: [aMessage] }, headersOf(names));
    expect(await answer.json()).toMatchObject({ code: 'MISSING_CREDENTIALS' });
  });

  test('a signature does not open the operations for people', async () => {
    const key = await createKey(t.database, person.accountId);
    expect((await sendSigned(t.url, { method: 'GET', target: '/app/api/keys', key })).body.code).toBe(
      'SESSION_REQUIRED',
    );
  });
});

test('two browsers with two accounts see nothing of each other', async () => {
  const [one, two] = [await createVictim(), await createVictim()];
  for (const operation of operationNamesForPeople.filter(
    (name) => routeOf(name).method === 'GET' && routeOf(name).access !== 'admin',
  )) {
    const { text } = await outcomeOf(one.person.browser, operation, one.names);
    for (const value of [
      two.names.deviceId,
      two.names.jobId,
      two.names.keyId,
      two.names.renewalId,
      two.names.webhookId,
      two.names.templateId,
      two.names.broadcastId,
      two.names.contactId,
      two.person.email,
    ])
      expect(text, operation).not.toContain(value);
  }
});
