import { readdirSync, readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { textContent } from '@kurir/contracts';
import { waitUntil } from '@kurir/network/conformance';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { withRelayFixture } from '../../test/relay-fixture.js';
import { KNOWN_LINES, silenceLibsignal } from './libsignal-console.js';

const METHODS = ['log', 'info', 'warn', 'error', 'debug'] as const;
const printed: string[] = [];
const originals = METHODS.map((method) => [method, console[method]] as const);

/** Records the lines that reach the console after libsignal was silenced. */
beforeAll(() => {
  for (const method of METHODS) console[method] = (...line: unknown[]) => void printed.push(line.map(show).join(' '));
  silenceLibsignal();
});

afterAll(() => {
  for (const [method, print] of originals) console[method] = print;
});

test('every line that libsignal prints is known', () => {
  const source = join(createRequire(import.meta.url).resolve('libsignal/package.json'), '../src');
  const calls = readdirSync(source)
    .filter((file) => file.endsWith('.js'))
    .flatMap((file) => readFileSync(join(source, file), 'utf8').split('\n'))
    .filter((line) => !line.trim().startsWith('//'))
    .flatMap((line) => [...line.matchAll(/console\.(\w+)\(\s*(?:"([^"]*)"|'([^']*)')?/g)])
    .map(([, method = '', double, single]) => ({ method, text: double ?? single ?? '' }));
  expect(calls.length).toBeGreaterThan(10);
  for (const { method, text } of calls) {
    expect(['info', 'warn', 'error']).toContain(method);
    expect(KNOWN_LINES.filter((known) => text.startsWith(known))).toHaveLength(1);
  }
});

test('its lines are dropped, others pass', () => {
  const session = { currentRatchet: { ephemeralKeyPair: { privKey: Buffer.alloc(32) } } };
  console.info('Closing session:', session);
  console.warn('Session already closed', session);
  console.error('Session error:MessageCounterError: Key used already', 'stack');
  console.info('worker started');
  expect(printed).toEqual(['worker started']);
});

test(
  'sessions that messages open, close and renew print no key',
  withRelayFixture(async (fixture) => {
    printed.length = 0;
    const text = 'Kode: 1234';
    const content = textContent(text);
    const { session, inbound } = await fixture.online({
      readMessage: async () => ({ recipient: person.number, content }),
    });
    const person = await fixture.person();
    await session.send(fixture.message(person.number));
    await person.send(fixture.phone.number, 'Halo');
    await waitUntil('the answer came', () => inbound.length === 1);
    await person.loseSessions();
    const message = fixture.message(person.number, text);
    await session.send(message);
    await person.received(message.networkMessageId);
    await person.send(fixture.phone.number, 'lagi');
    await waitUntil('the second answer came', () => inbound.length === 2);
    expect(fixture.relay.journal.counters().retryReceipts).toBeGreaterThan(0);
    expect(printed.filter((line) => /priv|rootKey|chainKey|SessionEntry|Closing|Opening|Buffer/.test(line))).toEqual(
      [],
    );
  }),
);

function show(value: unknown): string {
  return typeof value === 'string' ? value : JSON.stringify(value);
}
