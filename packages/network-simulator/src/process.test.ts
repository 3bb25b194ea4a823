import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { Session } from '@kurir/network';
import { waitUntil } from '@kurir/network/conformance';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { askFor } from '../test/ask.js';
import { connectDevice, type Device, linkDevice, type Online } from '../test/device-fixture.js';
import { createSimulatorDriver } from './driver/simulator-driver.js';

const MAIN = fileURLToPath(new URL('../dist/main.js', import.meta.url));
const RECIPIENT = '6281300000009';

let folder: string;
let journal: string;
let children: ChildProcess[];
let sessions: Session[];

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'kurir-simulator-'));
  journal = join(folder, 'made', 'journal.jsonl');
  children = [];
  sessions = [];
});

afterEach(async () => {
  await Promise.all(sessions.map((session) => session.close()));
  for (const child of children) child.kill('SIGKILL');
  rmSync(folder, { recursive: true });
});

function run(...args: string[]): { child: ChildProcess; output(): string; exited: Promise<unknown> } {
  const child = spawn(process.execPath, [MAIN, ...args], { env: {}, stdio: ['ignore', 'pipe', 'pipe'] });
  children.push(child);
  let output = '';
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (part: Buffer) => (output += part.toString()));
  return { child, output: () => output, exited: once(child, 'close') };
}

async function start(port = '0') {
  const running = run('--port', port, '--journal', journal, '--receipt-delay-ms', '5');
  await waitUntil('it prints its address', () => running.output().includes('\n'));
  const { listening } = JSON.parse(running.output()) as { listening: string };
  return { ...running, url: listening };
}

async function connect(url: string, device: Device, handleReceipt?: () => Promise<unknown>): Promise<Online> {
  const online = await connectDevice(createSimulatorDriver({ url, ackTimeoutMs: 2_000 }), device, { handleReceipt });
  sessions.push(online.session);
  return online;
}

function send({ session }: Online, networkMessageId: string) {
  return session.send({
    networkMessageId,
    recipient: RECIPIENT,
    content: { kind: 'text', text: `text of ${networkMessageId}` },
  });
}

describe('a process that was killed and started again on the same journal', () => {
  test('still knows each message that it acknowledged, the ids, the links and the bans', async () => {
    const first = await start();
    const driver = createSimulatorDriver({ url: first.url, ackTimeoutMs: 2_000 });
    const device = await linkDevice(driver, first.url, '6281300000001');
    const banned = await linkDevice(driver, first.url, '6281300000002');
    await askFor(first.url, 'POST', '/faults', { kind: 'ban', device_id: banned.deviceId });
    const ids = Array.from({ length: 500 }, (_, i) => `3EB0${i}`);
    const before = await connect(first.url, device);
    expect(await Promise.all(ids.map((id) => send(before, id)))).toEqual(ids.map(() => ({ kind: 'sent' })));
    first.child.kill('SIGKILL');
    await first.exited;
    await waitUntil('the session ended', () => before.ends.length === 1);
    expect(before.ends).toEqual([{ reason: 'connection_lost', next: 'reconnect' }]);

    const second = await start(new URL(first.url).port);
    const shown = await askFor(second.url, 'GET', `/phones/${RECIPIENT}/inbox`);
    expect(shown).toMatchObject(ids.map((id) => ({ network_message_id: id, copies: 0 })));
    const after = await connect(second.url, device);
    expect(await send(after, '3EB0499')).toEqual({ kind: 'sent' });
    const [last] = (await askFor(second.url, 'GET', `/phones/${RECIPIENT}/inbox?limit=1`)) as object[];
    expect(last).toMatchObject({ network_message_id: '3EB0499', copies: 1 });
    expect((await connect(second.url, banned)).ends).toMatchObject([{ reason: 'banned' }]);
  });

  test('reports the receipts that nobody settled, and no others', async () => {
    const first = await start();
    const driver = createSimulatorDriver({ url: first.url, ackTimeoutMs: 2_000 });
    const device = await linkDevice(driver, first.url, '6281300000001');
    const before = await connect(first.url, device);
    await send(before, '3EB0SETTLED');
    const settled = async () =>
      JSON.stringify(await askFor(first.url, 'GET', '/journal')).split('"settled"').length - 1;
    await waitUntil('both receipts are settled', async () => before.receipts.length === 2 && (await settled()) === 2);
    await before.session.close();
    const refusing = await connect(first.url, device, () => Promise.reject(new Error('the database is away')));
    await send(refusing, '3EB0OPEN');
    await waitUntil('its receipts were refused', () => refusing.receipts.length === 2);
    first.child.kill('SIGKILL');
    await first.exited;

    const second = await start(new URL(first.url).port);
    const after = await connect(second.url, device);
    await waitUntil('the open receipts came', () => after.receipts.some(({ status }) => status === 'read'));
    expect(new Set(after.receipts.map((receipt) => receipt.networkMessageId))).toEqual(new Set(['3EB0OPEN']));
  });
});

test('SIGTERM ends the process with code 0 and a whole journal, and its devices are told to reconnect', async () => {
  const running = await start();
  const driver = createSimulatorDriver({ url: running.url, ackTimeoutMs: 2_000 });
  const online = await connect(running.url, await linkDevice(driver, running.url, '6281300000001'));
  await send(online, '3EB0LAST');
  running.child.kill('SIGTERM');
  expect(await running.exited).toEqual([0, null]);
  await waitUntil('the session ended', () => online.ends.length === 1);
  expect(online.ends).toMatchObject([{ next: 'reconnect' }]);
  const lines = readFileSync(journal, 'utf8').trimEnd().split('\n');
  const kinds = lines.map((line) => (JSON.parse(line) as { kind: string }).kind);
  expect(kinds.slice(0, 3)).toEqual(['link', 'login', 'message']);
  expect(kinds.at(-1)).toBe('disconnect');
});

test('a paused process leaves sends unknown, and close does not wait for it', async () => {
  const running = await start();
  const driver = createSimulatorDriver({ url: running.url, ackTimeoutMs: 100, silenceTimeoutMs: 300 });
  const device = await linkDevice(driver, running.url, '6281300000001');
  const silent = await connectDevice(driver, device);
  running.child.kill('SIGSTOP');
  expect(await send(silent, '3EB0PAUSED')).toEqual({ kind: 'unknown', reason: 'no_answer' });
  await waitUntil('the silence was noticed', () => silent.ends.length === 1);
  expect(silent.ends).toEqual([{ reason: 'connection_lost', next: 'reconnect' }]);
  running.child.kill('SIGCONT');
  const closing = await connect(running.url, device);
  running.child.kill('SIGSTOP');
  await closing.session.close();
  expect(closing.ends).toEqual([{ reason: 'closed_by_us', next: 'none' }]);
});

test('--help names every flag; a wrong flag or value ends with code 2 and is named', async () => {
  const help = run('--help');
  expect(await help.exited).toEqual([0, null]);
  for (const flag of ['--port', '--host', '--journal', '--receipt-delay-ms']) expect(help.output()).toContain(flag);
  const wrongFlag = run('--verbose');
  expect(await wrongFlag.exited).toEqual([2, null]);
  expect(wrongFlag.output()).toContain('--verbose');
  const wrongValue = run('--port', 'many');
  expect(await wrongValue.exited).toEqual([2, null]);
  expect(wrongValue.output()).toContain('port');
});
