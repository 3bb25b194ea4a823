import type { Identified } from '@kurir/network';
import type { BinaryNode } from 'baileys';
import { expect, test } from 'vitest';
import { StoredCache } from '../people/stored-cache.js';
import { Senders } from './senders.js';

const ME = { id: '629:3@s.whatsapp.net', lid: '999:3@lid' };

function sendersWith(numbers: Readonly<Record<string, string>> = {}) {
  const rows = new Map<string, Uint8Array>();
  const identified: Identified[] = [];
  const database = { isAway: false };
  const device = {
    readOwnRow: async (_kind: string, id: string) => rows.get(id),
    writeOwnRow: (_kind: string, id: string, value: Uint8Array | null) =>
      void (value === null ? rows.delete(id) : rows.set(id, value)),
  };
  const lids = new Map(Object.entries(numbers).map(([lid, pn]) => [pn, lid]));
  const senders = new Senders({
    findNumber: async (lid) => numbers[lid] ?? null,
    findLid: async (pn) => lids.get(pn) ?? null,
    writtenNumber: async (digits) => (digits === '551187654321' ? '5511987654321' : digits),
    hidden: new StoredCache<true>({ device, kind: 'hidden-person', capacity: 10, maxAgeMs: 1_000 }),
    identified: async (report) => {
      if (database.isAway) throw new Error('the database is away');
      identified.push(report);
    },
    me: () => ME,
    log: { debug: () => undefined, warn: () => undefined },
  });
  const of = (attrs: BinaryNode['attrs']) => senders.of({ tag: 'message', attrs });
  return { senders, of, identified, rows, database };
}

test.each<[string, BinaryNode['attrs'], string, string | null]>([
  ['by LID with the number', { from: '7:2@lid', sender_pn: '62812@s.whatsapp.net' }, 'lid:7', '62812'],
  ['by number with the LID', { from: '62812:2@s.whatsapp.net', sender_lid: '7@lid' }, 'lid:7', '62812'],
  ['by LID whose number is stored', { from: '8@lid' }, 'lid:8', '62888'],
  ['by number whose LID is stored', { from: '62888@s.whatsapp.net' }, 'lid:8', '62888'],
  ['by LID alone', { from: '7@lid' }, 'lid:7', null],
  ['by number alone', { from: '62812@s.whatsapp.net' }, '62812', '62812'],
  ['in the spelling of the customer', { from: '551187654321@s.whatsapp.net' }, '5511987654321', '5511987654321'],
  ['with a number that is rubbish', { from: '7@lid', sender_pn: 'x@s.whatsapp.net' }, 'lid:7', null],
  ['as a hosted account', { from: '7:99@hosted.lid', sender_pn: '62812@s.whatsapp.net' }, 'lid:7', '62812'],
])('a person is known %s', async (_, attrs, userId, phone) => {
  const { of } = sendersWith({ '8@lid': '62888@s.whatsapp.net' });
  const { person, chat, isOurs } = await of({ ...attrs, notify: 'Budi' });
  expect({ person, chat, isOurs }).toEqual({
    person: { userId, phone, name: 'Budi', username: null },
    chat: { id: userId, type: 'direct' },
    isOurs: false,
  });
});

test("a message of the owner's phone is in the chat of its recipient, without the owner's name", async () => {
  const { of } = sendersWith();
  const attrs = { from: '999@lid', recipient: '7@lid', peer_recipient_pn: '62812@s.whatsapp.net', notify: 'Owner' };
  expect(await of({ ...attrs, sender_pn: '629@s.whatsapp.net', peer_recipient_username: 'budi' })).toMatchObject({
    isOurs: true,
    chat: { id: 'lid:7', type: 'direct' },
    person: { userId: 'lid:7', phone: '62812', name: null, username: 'budi' },
  });
});

test('in a group the person is the participant, and the owner is nobody', async () => {
  const { of } = sendersWith();
  const attrs = { from: '1203-5@g.us', participant: '7:1@lid', participant_pn: '62812@s.whatsapp.net' };
  expect(await of({ ...attrs, participant_username: 'budi' })).toMatchObject({
    chat: { id: '1203-5', type: 'group' },
    person: { userId: 'lid:7', phone: '62812', username: 'budi' },
  });
  expect(await of({ from: '1203-5@g.us', participant: '999:0@lid' })).toMatchObject({ isOurs: true, person: null });
});

test('the number of a person who hid it is reported once; that of others never', async () => {
  const { senders, of, identified, rows } = sendersWith();
  await of({ from: '7@lid' });
  expect(rows.size).toBe(1);
  await senders.learned([{ lid: '8@lid', pn: '62888@s.whatsapp.net' }]);
  expect(identified).toEqual([]);
  await senders.learned([{ lid: '7@lid', pn: '62812:4@s.whatsapp.net' }]);
  await senders.learned([{ lid: '7@lid', pn: '62812@s.whatsapp.net' }]);
  expect(identified).toEqual([{ userId: 'lid:7', phone: '62812' }]);
});

test('a number whose report fails is reported when it is learned again', async () => {
  const { senders, of, identified, database } = sendersWith();
  await of({ from: '7@lid' });
  database.isAway = true;
  await senders.learned([{ lid: '7@lid', pn: '62812@s.whatsapp.net' }]);
  database.isAway = false;
  await senders.learned([{ lid: '7@lid', pn: '62812@s.whatsapp.net' }]);
  expect(identified).toEqual([{ userId: 'lid:7', phone: '62812' }]);
});
