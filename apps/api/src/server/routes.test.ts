/** Tests the dashboard's routes over HTTP, together with signed requests. */
import { endpoints } from '@kurir/contracts';
import { signRequest, stringToSign, sha256Hex } from '@kurir/signing';
import { moveMessages } from '@kurir/database';
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest';
import { createConnectedDevice, type Key } from '../../test/customer.js';
import { type FakeSimulator, startFakeSimulator } from '../../test/fake-simulator.js';
import { Browser, newEmail, type Person, signUp, signUpAs } from '../../test/person.js';
import { aMessage, sendSigned } from '../../test/signed-request.js';
import { startTestApi, type TestApi } from '../../test/test-api.js';

let t: TestApi;
let simulator: FakeSimulator;
let person: Person;
let deviceId: string;
beforeAll(async () => {
  simulator = await startFakeSimulator();
  t = await startTestApi({ KURIR_TRUST_PROXY: 1, KURIR_SIMULATOR_URL: simulator.url });
  person = await signUp(t.url);
  deviceId = await createConnectedDevice(t.database, person.accountId);
});
afterAll(async () => {
  await t.close();
  await simulator.close();
});

const data = async (...args: Parameters<Browser['call']>) => {
  const answer = await person.browser.call(...args);
  expect(answer.status, JSON.stringify(answer.body)).toBe(200);
  return answer.body.data;
};

async function send(fields: object = {}): Promise<string> {
  return String((await data('sendMessage', { deviceId, body: { ...aMessage, ...fields } }))['job_id']);
}

/** Moves a message as a worker and the network do. */
async function move(jobId: string, to: 'failed' | 'delivered'): Promise<void> {
  await t.database.pool.query(`UPDATE messages SET status = 'sending', attempts = 1, epoch = 1 WHERE id = $1`, [jobId]);
  await moveMessages(t.database.pool, [
    { id: jobId, to, ...(to === 'failed' ? { reason: 'rejected_by_network', ownerEpoch: 1n } : {}) },
  ]);
}

const signed = (key: Key) => sendSigned(t.url, { method: 'GET', target: '/api/v1/account/info', key });

describe('keys', () => {
  async function create(fields: object = {}) {
    const made = await data('createKey', { body: { name: 'Toko', mode: 'test', ...fields } });
    const { api_key } = made['key'] as { api_key: Key['id'] };
    return { id: api_key, secret: String(made['api_secret']) };
  }

  test('a new key works at once, and no later answer has its secret', async () => {
    const key = await create();
    expect((await signed(key)).status).toBe(200);
    expect(JSON.stringify(await data('listKeys'))).not.toContain(key.secret);
  });

  test('a rotated key works with both secrets, and shows when the old one was last used', async () => {
    const key = await create();
    const rotated = await data('rotateKey', { params: { api_key: key.id }, body: { overlap_hours: 1 } });
    await expect
      .poll(async () => (await signed({ ...key, secret: String(rotated['api_secret']) })).status, { timeout: 8_000 })
      .toBe(200);
    expect((await signed(key)).status).toBe(200);
    await expect
      .poll(
        async () => {
          const { keys } = (await data('listKeys')) as {
            keys: { api_key: string; secrets: { version: number; last_used_at: string | null }[] }[];
          };
          return keys.find(({ api_key }) => api_key === key.id)?.secrets.find(({ version }) => version === 1)
            ?.last_used_at;
        },
        { timeout: 8_000 },
      )
      .toMatch(/^20/);
  });

  test('a revoked key is soon refused, and can be neither rotated nor changed', async () => {
    const key = await create();
    await data('revokeKey', { params: { api_key: key.id } });
    await expect.poll(async () => (await signed(key)).body.code, { timeout: 6_000 }).toBe('INVALID_API_KEY');
    for (const operation of ['rotateKey', 'changeKey', 'revokeKey'] as const) {
      const parts = { params: { api_key: key.id }, ...(operation === 'revokeKey' ? {} : { body: {} }) };
      expect((await person.browser.call(operation, parts)).body.code, operation).toBe('KEY_NOT_FOUND');
    }
  });

  test('scopes and allow-list apply, and an invalid entry is named', async () => {
    const key = await create({ scopes: ['messages:send'], allowed_ips: ['203.0.113.0/24'] });
    expect((await signed(key)).body.code).toBe('KEY_NOT_ALLOWED');
    const wrong = await person.browser.call('createKey', { body: { name: 'x', allowed_ips: ['203.0.113.1', 'home'] } });
    expect(wrong.body.error).toContain('allowed_ips[1]');
  });

  test('a developer may create a key, and the audit log has their name', async () => {
    const developer = await signUpAs(t.url, t.database, person.accountId, 'developer');
    expect((await developer.browser.call('createKey', { body: { name: 'Theirs' } })).status).toBe(200);
    const { entries } = (await data('listAudit')) as { entries: { action: string; actor: { id: string } }[] };
    expect(entries[0]).toMatchObject({ action: 'key.created', actor: { id: developer.userId } });
  });

  describe('the signing debugger', () => {
    const timestamp = String(Math.floor(Date.now() / 1000));
    const request = {
      method: 'POST',
      target: '/api/v1/messages/send?b=2&a=1',
      timestamp,
      body: '{"url":"https://a/b"}',
    };
    const text = stringToSign({ ...request, bodySha256: sha256Hex(request.body) });
    let key: Key;
    beforeAll(async () => {
      key = await create();
    });

    const ask = (fields: object) => data('debugSignature', { body: { ...request, api_key: key.id, ...fields } });
    const sign = (changes: object) => signRequest({ ...request, secret: key.secret, ...changes });

    test('accepts a right signature and shows the string to sign', async () => {
      expect(await ask({ signature: sign({}) })).toMatchObject({
        matches: true,
        secret_version: 1,
        string_to_sign: text,
        findings: [],
      });
    });

    test.each<[string, () => object]>([
      ['method_not_upper_case', () => ({ signature: sign({ method: 'post' }) })],
      ['target_without_query', () => ({ signature: sign({ target: '/api/v1/messages/send' }) })],
      ['target_query_sorted', () => ({ signature: sign({ target: '/api/v1/messages/send?a=1&b=2' }) })],
      ['timestamp_in_other_unit', () => ({ signature: sign({ timestamp: `${timestamp}000` }) })],
      ['body_slashes_escaped', () => ({ signature: sign({ body: '{"url":"https:\\/\\/a\\/b"}' }) })],
      ['body_with_newline', () => ({ signature: sign({ body: `${request.body}\n` }) })],
      ['body_left_out', () => ({ signature: sign({ body: '' }) })],
      ['body_reformatted', () => ({ signature: sign({ body: '{"url": "https://a/b"}' }) })],
      ['signature_base64', () => ({ signature: Buffer.from(sign({}), 'hex').toString('base64') })],
      ['secret_trimmed_prefix', () => ({ signature: sign({ secret: key.secret.replace('ks_test_', '') }) })],
      ['unexplained', () => ({ signature: sign({ secret: 'of somebody else' }) })],
      ['unknown_key', () => ({ signature: sign({}), api_key: 'kk_test_other' })],
      ['timestamp_out_of_range', () => ({ timestamp: '1763690000', signature: sign({ timestamp: '1763690000' }) })],
    ])('finds %s', async (finding, fields) => {
      const answer = await ask(fields());
      expect(answer['findings']).toContain(finding);
      expect(answer['matches']).toBe(false);
    });

    test('shows where the strings to sign differ', async () => {
      const answer = await ask({ signature: 'x', string_to_sign: text.replace('b=2', 'b=3') });
      expect(answer['difference']).toMatchObject({
        at: text.indexOf('b=2') + 2,
        yours: expect.stringMatching(/^3/),
        ours: expect.stringMatching(/^2/),
      });
    });

    test('never shows the right signature', async () => {
      for (const signature of ['', 'x', 'a'.repeat(64)])
        expect(JSON.stringify(await ask({ signature }))).not.toContain(sign({}));
    });
  });
});

describe('messages', () => {
  test('are found by job id, by client_ref and by the beginning of a number', async () => {
    const ref = `ref-${Date.now()}`;
    const jobId = await send({ client_ref: ref, phone_destination: '6285712345678' });
    for (const q of [jobId, ref, '62857'])
      expect(await data('listMessages', { query: `q=${q}` })).toMatchObject({ messages: [{ job_id: jobId }] });
    expect(await data('listMessages', { query: 'q=62999' })).toMatchObject({ messages: [] });
  });

  test('show each step with its time, and their sender, but never the text', async () => {
    const jobId = await send();
    await move(jobId, 'delivered');
    const shown = await data('getMessage', { params: { job_id: jobId } });
    expect(shown).toMatchObject({
      status: 'delivered',
      sent_by: { id: person.userId },
      timeline: [{ status: 'queued' }, { status: 'sent' }, { status: 'delivered' }],
      can_cancel: false,
      can_retry: false,
    });
    expect(JSON.stringify(shown)).not.toContain(aMessage.message);
  });

  test('that failed are sent again once after repeated requests', async () => {
    const jobId = await send();
    expect((await person.browser.call('retryMessage', { params: { job_id: jobId } })).body.code).toBe(
      'JOB_NOT_RETRYABLE',
    );
    await move(jobId, 'failed');
    const again = await Promise.all([1, 2, 3].map(() => data('retryMessage', { params: { job_id: jobId } })));
    expect(new Set(again.map((answer) => answer['job_id'])).size).toBe(1);
    expect(again[0]?.['job_id']).not.toBe(jobId);
  });

  test('are cancelled, and give their quota back', async () => {
    const quota = async () =>
      ((await data('listPlans'))['subscription'] as { remaining_quota: number }).remaining_quota;
    const before = await quota();
    const jobId = await send();
    expect(await quota()).toBe(before - 1);
    expect(await data('cancelMessage', { params: { job_id: jobId } })).toMatchObject({ status: 'cancelled' });
    expect(await data('getMessage', { params: { job_id: jobId } })).toMatchObject({ can_retry: true });
    expect(await quota()).toBe(before);
  });

  test('are exported as CSV without formulas', async () => {
    const jobId = await send({ client_ref: '=HYPERLINK("x")' });
    const answer = await person.browser.fetch('GET', '/app/api/messages.csv?phone_destination=6281234567890');
    expect(answer.headers.get('content-type')).toBe('text/csv; charset=utf-8');
    const lines = (await answer.text()).split('\r\n');
    expect(lines[0]).toMatch(/^job_id,status,/);
    expect(lines.find((line) => line.startsWith(jobId))).toContain(`"'=HYPERLINK(""x"")"`);
  });
});

describe('the sandbox', () => {
  test('a phone shows only messages of the account’s own devices', async () => {
    const number = '6281999000111';
    const jobId = await send({ phone_destination: number });
    await move(jobId, 'delivered');
    const { rows } = await t.database.pool.query<{ id: string }>(
      'SELECT network_message_id AS id FROM messages WHERE id = $1',
      [jobId],
    );
    const at = new Date().toISOString();
    simulator.inboxes.set(number, [
      { network_message_id: 'of-somebody-else', from: '62811', text: 'secret of another', received_at: at },
      { network_message_id: rows[0]?.id ?? '', from: '62812', text: aMessage.message, received_at: at },
    ]);
    expect(await data('listPhones')).toMatchObject({
      phones: expect.arrayContaining([expect.objectContaining({ number, messages: 1 })]),
    });
    const phone = await data('readPhone', { params: { number } });
    expect(phone['messages']).toEqual([
      expect.objectContaining({ job_id: jobId, device_id: deviceId, text: aMessage.message, direction: 'to_phone' }),
    ]);
  });

  test('a phone can write only to a device of the account', async () => {
    await t.database.pool.query('UPDATE devices SET phone_number = $2 WHERE id = $1', [deviceId, '6289900001111']);
    const body = { device_id: deviceId, text: 'Hi' };
    expect(await data('writeFromPhone', { params: { number: '6281234567890' }, body })).toMatchObject({
      direction: 'from_phone',
    });
    expect(simulator.written).toEqual(['6281234567890 6289900001111 Hi']);
  });
});

describe('the dashboard knows', () => {
  test('that the network and the payment page are simulated', async () => {
    expect(await data('readMe')).toMatchObject({ sandbox: true, payments: 'sandbox' });
  });

  test('that neither is simulated, and refuses phones and simulated devices', async () => {
    const real = await startTestApi({
      KURIR_TRUST_PROXY: 1,
      KURIR_SIMULATOR_URL: undefined,
      KURIR_SANDBOX_PAYMENTS: false,
    });
    onTestFinished(() => real.close());
    const { browser, accountId } = await signUp(real.url);
    expect((await browser.call('readMe')).body.data).toMatchObject({ sandbox: false, payments: null });
    const device_id = await createConnectedDevice(real.database, accountId);
    const params = { number: '6281234567890' };
    for (const asked of [
      browser.call('listPhones'),
      browser.call('readPhone', { params }),
      browser.call('writeFromPhone', { params, body: { device_id, text: 'Hi' } }),
    ])
      expect((await asked).body.code).toBe('NOT_IN_SANDBOX');
    const made = await browser.call('createDevice', { body: { name: 'Cabang', network: 'simulator' } });
    expect(made.body).toMatchObject({ code: 'INVALID_REQUEST', error: expect.stringMatching(/^network: /) });
  });
});

async function deviceShown(deviceId: string): Promise<unknown> {
  const query = `include=activity&device_id=${deviceId}`;
  const { devices } = endpoints.listDevices.data.parse(await data('listDevices', { query }));
  expect(devices).toHaveLength(1);
  return devices[0];
}

test('a device is created, changed and shown with its waiting messages', async () => {
  const made = await data('createDevice', { body: { name: 'Cabang', network: 'simulator' } });
  const own = String(made['device_id']);
  const shown = () => deviceShown(own);
  expect(await shown()).toMatchObject({
    name: 'Cabang',
    state: 'disconnected',
    activity: { linked: false, backlog: { otp: 0, normal: 0, bulk: 0, scheduled: 0 } },
  });
  expect(await data('updateDevice', { deviceId: own, body: { pace_per_minute: 30 } })).toMatchObject({
    settings: { pace_per_minute: 30 },
  });
  expect(await data('linkDevice', { deviceId: own, body: {} })).toMatchObject({ state: 'pairing' });
  expect(await shown()).toMatchObject({ state: 'pairing', activity: { pairing_method: 'qr' }, pairing: null });
  expect(await data('cancelLink', { deviceId: own })).toMatchObject({ state: 'disconnected' });
  expect(await shown()).toMatchObject({ state: 'disconnected', activity: { pairing_method: null } });
});

test('a contested device is reconnected, and the answer has its present state', async () => {
  const own = await createConnectedDevice(t.database, person.accountId);
  await t.database.pool.query(`UPDATE devices SET state = 'connecting', state_reason = 'contested' WHERE id = $1`, [
    own,
  ]);
  const shown = () => deviceShown(own);
  expect(await shown()).toMatchObject({ state_reason: 'contested', activity: { health: { level: 'down' } } });
  expect(await data('reconnectDevice', { deviceId: own })).toMatchObject({ state: 'connecting' });
  expect(await shown()).toMatchObject({ state: 'connecting', state_reason: null });
});

test('the overview counts messages by hour, measures one-time codes and shows the next steps', async () => {
  const jobId = await send({ priority: 'otp' });
  await move(jobId, 'delivered');
  const overview = await data('readOverview', { query: 'hours=3' });
  expect(overview).toMatchObject({
    hours: [{ accepted: 0 }, {}, {}],
    otp: { count: 1, p50_ms: expect.any(Number) },
    first_steps: { message_sent: true },
  });
});

test('a plan is chosen, renewed and paid, and then appears in the ledger and the invoices', async () => {
  const owner = await signUp(t.url);
  const created = await t.database.prisma.plan.create({
    data: { id: `pln_${Date.now()}`, name: `Paket ${Date.now()}`, durationDays: 30, priceRupiah: 50_000, quota: 10 },
  });
  expect((await owner.browser.call('renewAccount')).body.code).toBe('NO_PLAN_CHOSEN');
  await owner.browser.call('choosePlan', { params: { plan_id: created.id } });
  const renewal = (await owner.browser.call('renewAccount')).body.data;
  await fetch(String(renewal['payment_url']), { method: 'POST', redirect: 'manual' });
  const params = { renewal_id: String(renewal['renewal_id']) };
  expect((await owner.browser.call('getRenewal', { params })).body.data).toMatchObject({ state: 'paid' });
  expect((await owner.browser.call('listLedger')).body.data['entries']).toHaveLength(2);
  expect((await owner.browser.call('listInvoices')).body.data['invoices']).toMatchObject([
    { amount: 50_000, number: expect.stringMatching(/^KRR-\d{8}-/) },
  ]);
  expect((await owner.browser.call('listPlans')).body.data).toMatchObject({ subscription: { initial_quota: 110 } });
});

describe('members', () => {
  async function linkMailedTo(email: string): Promise<string> {
    const { rows } = await t.database.pool.query<{ text: string }>('SELECT text FROM kept_mails WHERE recipient = $1', [
      email,
    ]);
    return /\/app\/join\/(\S+)/.exec(rows.at(-1)?.text ?? '')?.[1] ?? '';
  }

  test('join by a mailed link, once and only with the invited address', async () => {
    const guest = await signUp(t.url);
    await data('inviteMember', { body: { email: guest.email, role: 'viewer' } });
    const params = { token: await linkMailedTo(guest.email) };
    expect((await new Browser(t.url).call('readInvitation', { params })).body.data).toMatchObject({
      email: guest.email,
      role: 'viewer',
    });
    const stranger = await signUp(t.url);
    expect((await stranger.browser.call('acceptInvitation', { params })).body.code).toBe('INVITATION_NOT_FOUND');
    expect((await guest.browser.call('acceptInvitation', { params })).body.data).toMatchObject({
      account: { account_id: person.accountId, role: 'viewer' },
    });
    expect((await guest.browser.call('acceptInvitation', { params })).body.code).toBe('INVITATION_NOT_FOUND');
    expect((await person.browser.call('inviteMember', { body: { email: guest.email, role: 'owner' } })).body.code).toBe(
      'ALREADY_MEMBER',
    );
  });

  test('a revoked invitation does not work', async () => {
    const email = newEmail();
    const { invitation_id: id } = await data('inviteMember', { body: { email, role: 'owner' } });
    await data('revokeInvitation', { params: { invitation_id: String(id) } });
    const params = { token: await linkMailedTo(email) };
    expect((await new Browser(t.url).call('readInvitation', { params })).body.code).toBe('INVITATION_NOT_FOUND');
  });

  test('one owner stays if two owners remove each other in parallel', async () => {
    const one = await signUp(t.url);
    const two = await signUpAs(t.url, t.database, one.accountId, 'owner');
    const answers = await Promise.all([
      one.browser.call('removeMember', { params: { user_id: two.userId } }),
      two.browser.call('removeMember', { params: { user_id: one.userId } }),
    ]);
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(1);
    const { rowCount } = await t.database.pool.query('SELECT 1 FROM members WHERE account_id = $1', [one.accountId]);
    expect(rowCount).toBe(1);
  });
});
