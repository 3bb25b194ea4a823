/**
 * Texts, phone numbers, passwords, codes, tokens and keys pass through every path. Afterwards they must not stand in
 * logs, Redis, process arguments, environments, answers to errors, or a backup that is made after retention.
 */
import { randomBytes, randomInt } from 'node:crypto';
import { type Database, eraseCodes, eraseContents, forgetInbound, forgetMessages, openDatabase } from '@kurir/database';
import { waitUntil } from '@kurir/testing';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { authenticatorCode } from './browser/authenticator-code.js';
import type { Customer } from './customers/customer.js';
import { type Answer, field, mailedToken, password, Person } from './customers/person.js';
import { signedFetch } from './customers/signed-fetch.js';
import { injectFault, newPhoneNumber } from './phones/phone.js';
import { dumpTables, readArguments, readEnvironments, readLogs, writingsOf } from './stack/places.js';
import { type Stack, startStack } from './stack/stack.js';
import { dumpRedis } from './stack/wipe-redis.js';

const word = (kind: string) => `canary-${kind}-${randomBytes(8).toString('hex')}`;

/** No place may have these. People's canaries are added while they pass through. */
const canaries: Record<string, string> = {
  text: word('text'),
  phone: newPhoneNumber(),
  code: word('code'),
  fieldName: word('field'),
  inbound: word('inbound'),
  password: `${password} ${randomInt(1e9)}`,
  wrongPassword: word('wrong-password'),
  proxyPassword: word('proxy'),
  wrongSecret: word('secret'),
};
const canary = (name: string): string => canaries[name] ?? '';

let stack: Stack;
let database: Database;
let customer: Customer;
const refusals: string[] = [];

beforeAll(async () => {
  stack = await startStack({ env: { KURIR_LOG_LEVEL: 'trace', KURIR_PROXY_PRIVATE_ADDRESSES: 'allow' } });
  database = openDatabase({ url: stack.env['DATABASE_URL'] ?? '', poolSize: 2 });
  customer = await stack.createCustomer({ pacePerMinute: 600 });
  canaries['apiSecret'] = customer.apiSecret;
  canaries['masterKey'] = stack.env['KURIR_MASTER_KEY'] ?? '';
  canaries['internalKey'] = stack.env['KURIR_INTERNAL_KEY'] ?? '';
});
afterAll(async () => {
  await database?.close();
  await stack?.stop();
});

const keep = (answer: Answer): Answer => {
  if (answer.status >= 400) refusals.push(JSON.stringify(answer.body));
  return answer;
};

async function sendEverything(): Promise<void> {
  const { text, phone, code } = { text: canary('text'), phone: canary('phone'), code: canary('code') };
  const { client, deviceId } = customer;
  const body = JSON.stringify({ message: text, phone_destination: phone });
  const send = async (extra: object) => {
    const request = { method: 'POST', target: '/api/v1/messages/send', body, deviceId, ...extra } as const;
    return keep(await signedFetch(stack.baseUrl, customer, request));
  };

  await injectFault(stack, { kind: 'ack_negative', recipient: phone, permanent: true, reason: 'rejected_by_network' });
  await client.sendMessage({ message: text, phoneDestination: phone });
  await client.sendMessage({ message: code, phoneDestination: newPhoneNumber(), priority: 'otp' });
  await client.sendBulk({
    messages: [
      { message: text, phoneDestination: phone },
      { message: text, phoneDestination: `${phone}x` },
    ],
  });
  await client.chatPresence({ action: 'start', phoneDestination: phone });
  await client.listMessages({ phoneDestination: phone });
  await send({ headers: { 'X-Signature': '00'.repeat(32) } });
  await send({ body: `{"message":"${text}","phone_destination":"${phone}"` });
  await send({ body: JSON.stringify({ message: text, phone_destination: phone, [canary('fieldName')]: 1 }) });
  await send({ target: `/api/v1/messages/send?${phone}=${text}` });
  await signedFetch(stack.baseUrl, customer, { method: 'GET', target: `/${text}/${phone}` });
  await signedFetch(
    stack.baseUrl,
    { ...customer, apiSecret: canary('wrongSecret') },
    { method: 'GET', target: '/api/v1/account/info' },
  );
}

/** A phone writes to the device. */
async function receive(): Promise<void> {
  const { devices } = await customer.client.listDevices();
  const to = devices[0]?.phoneNumber;
  const answer = await fetch(`${stack.simulatorUrl}/phones/${canary('phone')}/messages`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ to, text: canary('inbound') }),
  });
  expect(answer.status).toBe(201);
}

async function renewAndPay(): Promise<void> {
  const { paymentUrl } = await customer.client.renewAccount();
  canaries['paymentToken'] = new URL(paymentUrl).pathname.split('/').at(-1) ?? '';
  await (await fetch(paymentUrl)).text();
  const headers = { origin: stack.baseUrl, 'sec-fetch-site': 'same-origin' };
  await fetch(paymentUrl, { method: 'POST', headers, redirect: 'manual' });
}

async function setProxy(): Promise<void> {
  const proxy = `socks5://user:${canary('proxyPassword')}@127.0.0.1:9`;
  const { deviceId } = await customer.client.createDevice({ name: 'behind a proxy', network: 'simulator', proxy });
  const other = customer.withDevice(deviceId);
  await other.client.linkDevice();
  const body = JSON.stringify({ proxy: `${proxy}/path` });
  const request = { method: 'PATCH', target: '/api/v1/devices', deviceId, body } as const;
  expect(keep(await signedFetch(stack.baseUrl, customer, request)).status).toBe(422);
}

async function enableTwoFactor(person: Person): Promise<void> {
  const enabled = await person.auth('/two-factor/enable', { password: canary('password') });
  const key = new URL(String(field(enabled.body, 'totpURI'))).searchParams.get('secret') ?? '';
  canaries['authenticatorKey'] = key;
  const backupCodes = field(enabled.body, 'backupCodes');
  canaries['backupCode'] = Array.isArray(backupCodes) ? String(backupCodes[0]) : '';
  canaries['totpCode'] = authenticatorCode(key);
  expect((await person.auth('/two-factor/verify-totp', { code: canary('totpCode') })).status).toBe(200);
  keep(await person.ask('POST', '/app/api/me/confirm', { code: canary('wrongPassword') }));
}

/** Signs up, guesses, resets the password, invites, makes a key, and turns two-factor sign-in on. */
async function actAsPeople(): Promise<void> {
  const person = new Person(stack.baseUrl);
  await person.signUp();
  keep(await person.auth('/sign-in/email', { email: person.email, password: canary('wrongPassword') }));
  await person.auth('/request-password-reset', { email: person.email });
  const token = await mailedToken(database, person.email, /token=(\S+)/);
  canaries['resetToken'] = token;
  keep(await person.auth('/reset-password', { newPassword: 'short', token }));
  expect((await person.auth('/reset-password', { newPassword: canary('password'), token })).status).toBe(200);
  keep(await person.auth('/reset-password', { newPassword: canary('password'), token }));
  expect(await person.signIn(canary('password'))).toBe(200);

  const made = await person.ask('POST', '/app/api/keys', { name: 'key' });
  canaries['madeSecret'] = String(field(made.body, 'data', 'api_secret'));
  const invited = new Person(stack.baseUrl);
  await person.ask('POST', '/app/api/members/invite', { email: invited.email, role: 'viewer' });
  const invitation = await mailedToken(database, invited.email, /\/join\/(\S+)/);
  canaries['invitationToken'] = invitation;
  await invited.signUp();
  keep(await person.ask('POST', `/app/api/join/${invitation}`));
  expect((await invited.ask('POST', `/app/api/join/${invitation}`)).status).toBe(200);
  await enableTwoFactor(person);
}

/** Erases and deletes what is past its time, as if that time were over for everything that has ended. */
async function letRetentionPass(): Promise<void> {
  const { signal } = new AbortController();
  const open = async () =>
    (await database.pool.query<{ open: number }>('SELECT count(*)::int AS open FROM messages WHERE stage <> 2'))
      .rows[0];
  await waitUntil(async () => (await open())?.open === 0, { what: 'all messages have ended' });
  await eraseCodes(database, signal);
  await eraseContents(database, 0, signal);
  await forgetMessages(database, 0, signal);
  await forgetInbound(database, 0, signal);
}

/** The mailbox of development runs is a table of mails. People whom a device wrote to stay known to its limits. */
const tablesThatKeep = ['kept_mails', 'device_contacts'];

const digits = /^[0-9]{6}$/;

/** Six digits stand in many longer numbers. */
function holds(content: string, secret: string): boolean {
  if (digits.test(secret)) return new RegExp(`(?<![0-9a-f.])${secret}(?![0-9a-f])`).test(content);
  return writingsOf(secret).some((writing) => content.includes(writing));
}

const foundIn = (content: string, except: readonly string[] = []): string[] =>
  Object.entries(canaries).flatMap(([name, secret]) =>
    !except.includes(name) && holds(content, secret) ? [name] : [],
  );

describe('after every path was used', () => {
  beforeAll(async () => {
    await sendEverything();
    await receive();
    await renewAndPay();
    await setProxy();
    await actAsPeople();
  });

  it('the search finds each canary in every writing', () => {
    expect(Object.entries(canaries).filter(([, secret]) => secret.length < 6)).toEqual([]);
    for (const [name, secret] of Object.entries(canaries))
      for (const writing of digits.test(secret) ? [secret] : writingsOf(secret))
        expect(foundIn(`"${writing}"`)).toContain(name);
  });

  it('no canary is in a log line', () => {
    const logs = readLogs(stack);
    expect(logs).toContain('"level":20');
    expect(logs).toContain(customer.accountId);
    expect(foundIn(logs)).toEqual([]);
  });

  it('no canary is in a key or value of Redis', async () => {
    const redis = await dumpRedis(stack);
    expect(redis).toContain(customer.deviceId);
    expect(foundIn(redis)).toEqual([]);
  });

  it('no canary is in a process argument, and only the keys of the gateway are in its environment', async ({
    skip,
  }) => {
    const processes = await readArguments();
    if (processes === '') skip('this system has no /proc');
    expect(processes).toContain('apps/api/dist/main.js');
    expect(foundIn(processes)).toEqual([]);
    const environments = await readEnvironments(stack);
    expect(environments).toContain(stack.queuePrefix);
    expect(foundIn(environments).toSorted()).toEqual(['internalKey', 'masterKey']);
  });

  it('a refusal repeats nothing but the name of an unknown field', () => {
    expect(refusals.length).toBeGreaterThan(6);
    expect(foundIn(refusals.join('\n'))).toEqual(['fieldName']);
  });

  it('no canary is in a backup that is made after retention', async () => {
    // A number of a running message is found: the search works.
    const before = await dumpTables(database);
    expect(foundIn(before)).toContain('phone');
    await letRetentionPass();
    const after = await dumpTables(database, tablesThatKeep);
    expect(after).toContain(customer.accountId);
    expect(after.length).toBeGreaterThan(1_000);
    // The token opens a page that only says that the renewal is paid.
    expect(foundIn(after, ['paymentToken'])).toEqual([]);
  });
});
