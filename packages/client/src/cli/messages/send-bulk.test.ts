import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { fakeClock } from '../../../test/clock-fixture.js';
import { type Gateway, refusal, startGateway } from '../../../test/gateway-fixture.js';
import { type BulkLine, chunksOf } from './bulk-lines.js';
import { environmentFor, runHere } from '../../../test/kurir-fixture.js';

const clock = fakeClock();
let gateway: Gateway;
let folder: string;

beforeEach(async () => {
  gateway = await startGateway(clock.now);
  folder = await mkdtemp(join(tmpdir(), 'kurir-bulk-'));
});
afterEach(async () => {
  await gateway.close();
  await rm(folder, { recursive: true });
});

type Sent = { client_ref: string; message: string; priority?: string };

function sentMessages(): Sent[][] {
  return gateway.accepted.map(({ body }) => JSON.parse(body).messages);
}

function linesOf(count: number): string {
  return Array.from({ length: count }, (_, i) => `{"phone_destination":"6281234567890","message":"m${i + 1}"}\n`).join(
    '',
  );
}

async function sendFile(text: string, ...options: string[]) {
  await writeFile(join(folder, 'a.jsonl'), text);
  const args = ['send', '--bulk', 'a.jsonl', ...options];
  return runHere(args, environmentFor(gateway.baseUrl), { folder, clock });
}

describe('a bulk file', () => {
  it('is sent in order, a thousand messages at a time', async () => {
    const { code, stdout } = await sendFile(linesOf(2500), '--ref-prefix', 'nov', '--priority', 'bulk');
    expect({ code, stdout }).toEqual({ code: 0, stdout: '2500 accepted, 0 refused\n' });
    expect(sentMessages().map(({ length }) => length)).toEqual([1000, 1000, 500]);
    expect(sentMessages()[2]?.[499]).toEqual({
      phone_destination: '6281234567890',
      message: 'm2500',
      client_ref: 'nov-2500',
      priority: 'bulk',
    });
  });

  it('a field of a line replaces the default, and an empty line counts but is not sent', async () => {
    const line = '{"phone_destination":"6281234567890","message":"Halo","client_ref":"order-1","priority":"otp"}';
    await sendFile(`${line}\r\n\n${linesOf(1)}`, '--priority', 'bulk', '--ref-prefix', 'x');
    expect(sentMessages()[0]).toMatchObject([
      { client_ref: 'order-1', priority: 'otp' },
      { client_ref: 'x-3', priority: 'bulk' },
    ]);
  });

  it('is not sent when a line cannot be read, and the error names the lines', async () => {
    const { code, stderr } = await sendFile(`${linesOf(1)}oops\n[1]\n${linesOf(1)}"text"`);
    expect(code).toBe(2);
    expect(stderr).toContain('Nothing was sent: not a JSON object on line 2, 3, 5.');
    expect(gateway.received).toEqual([]);
  });

  it('names the refused lines and ends with 1', async () => {
    gateway.answer({
      sendBulk: () => ({
        results: [{ job_id: 'msg_1' }, { code: 'INVALID_PHONE_NUMBER', error: 'Check the number.' }],
      }),
    });
    await expect(sendFile(linesOf(2))).resolves.toEqual({
      code: 1,
      stdout: '1 accepted, 1 refused\n',
      stderr: 'line 2: INVALID_PHONE_NUMBER Check the number.\n',
    });
    const { stdout } = await sendFile(linesOf(2), '--json');
    expect(
      stdout
        .trimEnd()
        .split('\n')
        .map((line) => JSON.parse(line)),
    ).toEqual([
      { line: 1, job_id: 'msg_1' },
      { line: 2, code: 'INVALID_PHONE_NUMBER', error: 'Check the number.' },
    ]);
  });

  it('that stopped half way says how to continue, and continues with the same client_refs', async () => {
    const lines = linesOf(1500);
    gateway.answer({
      sendBulk({ body }) {
        gateway.fail(refusal('PLAN_EXPIRED', 'Renew the plan.'));
        return { results: JSON.parse(body).messages.map(() => ({ job_id: 'msg_1' })) };
      },
    });
    const { code, stderr } = await sendFile(lines);
    expect({ code, stderr }).toEqual({ code: 1, stderr: expect.stringContaining('Stopped after 1000 of 1500.') });
    const [, prefix = ''] = /--ref-prefix (\S+)/.exec(stderr) ?? [];
    expect(sentMessages()[0]?.[0]?.client_ref).toBe(`${prefix}-1`);
  });

  it('can come from standard input', async () => {
    const environment = environmentFor(gateway.baseUrl);
    const { code } = await runHere(['send', '--bulk', '-'], environment, { clock, input: linesOf(3) });
    expect(code).toBe(0);
    expect(sentMessages()[0]).toHaveLength(3);
  });

  it('shows a bar on a terminal', async () => {
    let shown = '';
    const stderr = { isTTY: true, write: (text: string) => (shown += text) };
    await runHere(['send', '--bulk', '-'], environmentFor(gateway.baseUrl), { clock, stderr, input: linesOf(3) });
    expect(shown).toContain('█ 3 of 3\n');
  });
});

describe('chunks', () => {
  const line = (number: number, message: string): BulkLine => ({ number, message: { message, phoneDestination: '1' } });

  it('are no larger than one request may be', () => {
    const long = '🙂'.repeat(4096);
    const chunks = [...chunksOf(Array.from({ length: 1000 }, (_, i) => line(i + 1, long)))];
    const bytes = chunks.map((chunk) =>
      Buffer.byteLength(JSON.stringify({ messages: chunk.map(({ message }) => message) })),
    );
    expect(Math.max(...bytes)).toBeLessThan(8 * 1024 * 1024);
    expect(chunks.flat()).toHaveLength(1000);
  });

  it('hold at least one message, however long it is', () => {
    const chunks = [...chunksOf([line(1, 'x'.repeat(9_000_000)), line(2, 'short')])];
    expect(chunks.map(({ length }) => length)).toEqual([1, 1]);
  });
});
