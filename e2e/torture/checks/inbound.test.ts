import { appendFileSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { type Delivery, hashOf } from '../records/delivery-log.js';
import { type InboundRecord, type Kept, readWritten, type Written } from '../records/inbound-record.js';
import { countKillsInFlight, findWrongInbound } from './inbound.js';

const written: Written = {
  networkMessageId: 'P1',
  deviceId: 'dev',
  text: 'Halo',
  at: 0,
  isAcknowledged: true,
  acknowledgedAt: 1,
};
const kept: Kept = { id: 'inb_1', deviceId: 'dev', networkMessageId: 'P1', events: 1 };
const delivery = (account: number, id: string, text = 'Halo'): Delivery => ({
  account,
  id,
  subjectId: 'cnv_1',
  sequence: 1,
  body: 'b',
  letter: { networkMessageId: 'P1', text: hashOf(text) },
});

const namesOf = (more: Partial<InboundRecord>, got: readonly Delivery[] = []) =>
  findWrongInbound({ written: [written], repeats: 0, interruptions: [], kept: [kept], ...more }, got).map(
    ({ name, what }) => `${name}: ${what}`,
  );

test('a message with one row, one event and deliveries under one id has no finding', () => {
  expect(namesOf({}, [delivery(0, 'evt_1'), delivery(0, 'evt_1'), delivery(1, 'evt_2')])).toEqual([]);
});

test('each fault is found', () => {
  expect(namesOf({ kept: [] })).toEqual(['inbound_lost: P1 to dev, acknowledged, has no row']);
  expect(namesOf({ kept: [{ ...kept, deviceId: 'other' }] })).toEqual([
    'inbound_lost: P1 to dev, acknowledged, has no row',
  ]);
  expect(namesOf({ kept: [], written: [{ ...written, isAcknowledged: false }] })).toEqual([
    'inbound_lost: P1 to dev, has no row',
  ]);
  expect(namesOf({ kept: [{ ...kept, events: 0 }] })).toEqual(['inbound_lost: P1 to dev, acknowledged, has no event']);
  expect(namesOf({ kept: [{ ...kept, events: 2 }] })).toEqual(['inbound_twice: P1 to dev has 1 rows and 2 events']);
  expect(namesOf({ kept: [kept, { ...kept, id: 'inb_2' }] })).toEqual([
    'inbound_twice: P1 to dev has 2 rows and 2 events',
  ]);
  expect(namesOf({}, [delivery(0, 'evt_1'), delivery(0, 'evt_2')])).toEqual([
    'inbound_twice: P1 arrived under several ids',
  ]);
  expect(namesOf({}, [delivery(0, 'evt_1', 'Hallo')])).toEqual(['inbound_lost: P1 arrived with other words']);
});

test('the journal of the network says what was written, repeated and interrupted', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'kurir-torture-'));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  const path = join(folder, 'network.jsonl');
  let n = 0;
  const note = (kind: string, more: object) => {
    n++;
    appendFileSync(path, `${JSON.stringify({ n, at: new Date(n * 1_000).toISOString(), kind, ...more })}\n`);
    return n;
  };
  const write = (id: string) => note('inbound', { network_message_id: id, from: '1', recipient: '62', text: id });
  note('link', { device_id: 'dev', number: '62', token_sha256: '' });
  const first = write('P1');
  note('settled', { device_id: 'dev', events: [first * 4] });
  const second = write('P2');
  const again = write('P2');
  const cutAt = note('disconnect', { device_id: 'dev', epoch: '1', socket: 1 });
  note('settled', { device_id: 'dev', events: [second * 4] });
  const record = await readWritten(path);
  expect(record).toEqual({
    written: [
      { networkMessageId: 'P1', deviceId: 'dev', text: 'P1', at: 2_000, isAcknowledged: true, acknowledgedAt: 3_000 },
      { networkMessageId: 'P2', deviceId: 'dev', text: 'P2', at: 4_000, isAcknowledged: false, acknowledgedAt: 7_000 },
    ],
    repeats: 1,
    interruptions: [{ at: cutAt * 1_000, messages: 2 }],
  });
  note('settled', { device_id: 'dev', events: [again * 4] });
  expect((await readWritten(path)).written.every(({ isAcknowledged }) => isAcknowledged)).toBe(true);
});

test('a kill counts if a connection ended around it with messages in flight', () => {
  expect(countKillsInFlight([10_000, 20_000], [{ at: 10_300, messages: 1 }])).toBe(1);
});
