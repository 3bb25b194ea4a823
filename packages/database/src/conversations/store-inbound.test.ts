import { type ConversationId, type InboundReport, textOf } from '@kurir/contracts';
import { describe, expect, test } from 'vitest';
import { useDatabaseFixture } from '../../test/database-fixture.js';
import {
  budi,
  everyReport,
  inboundOn,
  nextNetworkId,
  personOf,
  siti,
  textFrom,
  undecryptableFrom,
} from '../../test/inbound-fixture.js';
import { markRead, readUntold } from './read-marks.js';
import { createInboundWriter } from './store-inbound.js';

const fixture = useDatabaseFixture();
const { store, conversations, events, rows } = inboundOn(fixture);

test('a message is a row, an event, an unread message and a contact', async () => {
  const tenant = await fixture().tenant();
  const report = textFrom(budi, 'Halo');
  expect(await store(tenant.deviceId, report)).toEqual(['stored']);
  const [conversation] = await conversations(tenant.deviceId);
  expect(conversation).toMatchObject({ user_id: budi.userId, phone: budi.phone, unread: 1 });
  const told = await events(tenant);
  expect(told).toHaveLength(1);
  expect(told[0]).toMatchObject({
    type: 'message.received',
    sequence: 1,
    device_id: tenant.deviceId,
    subject: { type: 'conversation', id: conversation?.id },
    data: {
      network_message_id: report.networkMessageId,
      from: { phone: budi.phone, user_id: budi.userId, username: null, name: 'Budi' },
      chat: { id: conversation?.id, type: 'direct' },
      type: 'text',
      text: 'Halo',
      media: null,
      reply_to: null,
      forwarded: false,
      offline: false,
      sent_at: '2026-11-25T08:00:00.000Z',
    },
  });
  expect(
    await fixture().query('SELECT recipient FROM device_contacts WHERE device_id = $1', [tenant.deviceId]),
  ).toEqual([{ recipient: budi.phone }]);
});

test('no text, name or number stands in the log or in plain beside the seal', async () => {
  const tenant = await fixture().tenant();
  await store(tenant.deviceId, textFrom(budi, 'rahasia-93'));
  const [row] = await rows(tenant.deviceId);
  const logged = await fixture().query('SELECT * FROM events WHERE account_id = $1', [tenant.accountId]);
  const plain = JSON.stringify({ ...row, sealed: row?.sealed?.toString('latin1') });
  expect(plain).not.toContain('rahasia-93');
  const ofLog = JSON.stringify(logged, (_, value: unknown) => (typeof value === 'bigint' ? String(value) : value));
  for (const secret of ['rahasia-93', 'Budi', budi.phone ?? '', budi.userId]) expect(ofLog).not.toContain(secret);
});

describe('a repeat', () => {
  test('changes nothing', async () => {
    const tenant = await fixture().tenant();
    const report = textFrom(budi, 'Halo');
    await store(tenant.deviceId, report);
    expect(await store(tenant.deviceId, report)).toEqual(['repeated']);
    expect(await store(tenant.deviceId, report, report)).toEqual(['repeated', 'repeated']);
    expect(await events(tenant)).toHaveLength(1);
    expect((await conversations(tenant.deviceId))[0]?.unread).toBe(1);
  });

  test('at two workers at once makes one message, also the first one of its conversation', async () => {
    const tenant = await fixture().tenant();
    const reports = Array.from({ length: 10 }, (_, i) => textFrom(personOf(`lid:9${i}`, null), 'Halo'));
    const batches = Array.from({ length: 6 }, (_, i) => (i % 2 === 0 ? reports : reports.toReversed()));
    const outcomes = await Promise.all(batches.map((batch) => store(tenant.deviceId, ...batch)));
    expect(outcomes.flat().filter((outcome) => outcome === 'stored')).toHaveLength(reports.length);
    expect(await conversations(tenant.deviceId)).toHaveLength(reports.length);
    expect(await events(tenant)).toHaveLength(reports.length);
  });

  test('under another address of the person, after the number became known, makes nothing new', async () => {
    const tenant = await fixture().tenant();
    const id = nextNetworkId();
    const byNumber = personOf('6281200000111', '6281200000111');
    await store(tenant.deviceId, { ...textFrom(byNumber, 'Halo'), networkMessageId: id });
    expect(await store(tenant.deviceId, { ...textFrom(budi, 'Halo'), networkMessageId: id })).toEqual(['repeated']);
    expect((await events(tenant)).map(({ type }) => type)).toEqual(['message.received', 'contact.identified']);
  });

  test('of another device or of another person in a group is another message', async () => {
    const tenant = await fixture().tenant();
    const { deviceId } = await fixture().device(tenant.accountId);
    const report = textFrom(budi, 'Halo');
    const inGroup = { chat: { id: 'group:1', type: 'group' as const }, networkMessageId: report.networkMessageId };
    expect(await store(tenant.deviceId, report)).toEqual(['stored']);
    expect(await store(deviceId, report)).toEqual(['stored']);
    expect(
      await store(
        tenant.deviceId,
        textFrom(budi, 'a', inGroup),
        textFrom(siti, 'b', inGroup),
        textFrom(siti, 'b', inGroup),
      ),
    ).toEqual(['stored', 'stored', 'repeated']);
  });
});

test('the numbers of the events of a conversation have no holes, whoever writes at once', async () => {
  const tenant = await fixture().tenant();
  const writers = [0, 1, 2].map(() => createInboundWriter(fixture().database, fixture().accountKeys));
  const people = [budi, siti];
  await Promise.all(
    Array.from({ length: 120 }, (_, i) =>
      writers[i % 3]?.submit({
        deviceId: tenant.deviceId,
        report: textFrom(people[i % 2] ?? budi, String(i)),
        notesContact: true,
      }),
    ),
  );
  const told = await events(tenant);
  const subjects = [...new Set(told.map(({ subject }) => subject.id))];
  expect(subjects).toHaveLength(2);
  for (const id of subjects)
    expect(
      told
        .filter(({ subject }) => subject.id === id)
        .map(({ sequence }) => sequence)
        .toSorted((a, b) => a - b),
    ).toEqual(Array.from({ length: 60 }, (_, i) => i + 1));
});

describe('a message that cannot be read', () => {
  test('is an event, and becomes a message under the same id when it can be read', async () => {
    const tenant = await fixture().tenant();
    const id = nextNetworkId();
    expect(await store(tenant.deviceId, undecryptableFrom(budi, id))).toEqual(['stored']);
    const [before] = await events(tenant);
    expect(await store(tenant.deviceId, undecryptableFrom(budi, id))).toEqual(['repeated']);
    const readable = { ...textFrom(budi, 'akhirnya'), networkMessageId: id };
    expect(await store(tenant.deviceId, readable)).toEqual(['stored']);
    expect(await store(tenant.deviceId, readable)).toEqual(['repeated']);
    expect(await store(tenant.deviceId, undecryptableFrom(budi, id))).toEqual(['repeated']);
    const told = await events(tenant);
    expect(told.map(({ type, sequence }) => [type, sequence])).toEqual([
      ['message.undecryptable', 1],
      ['message.received', 2],
    ]);
    expect(told[0]).toEqual(before);
    expect(told[1]?.data).toMatchObject({ text: 'akhirnya', network_message_id: id });
    expect((await conversations(tenant.deviceId))[0]?.unread).toBe(1);
  });

  test.each([
    ['edited', { content: { type: 'text', text: 'baru' } }],
    ['deleted', {}],
    ['reaction', { emoji: '👍' }],
  ] as const)('becomes what it is, also %s, and then counts as no unread message', async (kind, more) => {
    const tenant = await fixture().tenant();
    const first = textFrom(budi, 'Halo');
    const id = nextNetworkId();
    await store(tenant.deviceId, first, undecryptableFrom(budi, id));
    expect((await conversations(tenant.deviceId))[0]?.unread).toBe(2);
    const target = { networkMessageId: first.networkMessageId, writtenByUs: false };
    const readable = { ...everyReport(budi, id), kind, target, ...more } as InboundReport;
    expect(await store(tenant.deviceId, readable, readable)).toEqual(['stored', 'repeated']);
    const told = await events(tenant);
    expect(told.map(({ type }) => type)).toEqual(['message.received', 'message.undecryptable', `message.${kind}`]);
    const [received, , revealed] = told.map(({ data }) => data);
    expect(revealed).toMatchObject({
      target: { message_id: received && 'message_id' in received && received.message_id },
    });
    expect((await conversations(tenant.deviceId))[0]?.unread).toBe(1);
  });

  test('is unread again when it can be read, though the chat was marked as read before', async () => {
    const tenant = await fixture().tenant();
    const id = nextNetworkId();
    await store(tenant.deviceId, undecryptableFrom(budi, id), textFrom(budi, 'dan ini'));
    const [conversation] = await conversations(tenant.deviceId);
    await markRead(fixture().database, tenant.accountId, conversation?.id as ConversationId);
    await store(tenant.deviceId, { ...textFrom(budi, 'akhirnya'), networkMessageId: id });
    expect((await conversations(tenant.deviceId))[0]?.unread).toBe(2);
    await markRead(fixture().database, tenant.accountId, conversation?.id as ConversationId);
    const [untold] = await readUntold(fixture().database, tenant.deviceId, 10);
    expect(untold?.marks.map(({ networkMessageId }) => networkMessageId)).toContain(id);
    // A late edit of a chat that was read takes nothing from the count.
    const late = nextNetworkId();
    await store(tenant.deviceId, undecryptableFrom(budi, late));
    await markRead(fixture().database, tenant.accountId, conversation?.id as ConversationId);
    const target = { networkMessageId: id, writtenByUs: false };
    await store(tenant.deviceId, { ...everyReport(budi, late), kind: 'deleted', target });
    expect((await conversations(tenant.deviceId))[0]?.unread).toBe(0);
  });
});

describe('an answer', () => {
  test('names our message, which then belongs to the conversation, and a message of a person', async () => {
    const tenant = await fixture().tenant();
    const [sent] = await fixture().sending(tenant);
    const first = textFrom(budi, 'Halo');
    await store(tenant.deviceId, first);
    const quotes = (networkMessageId: string) =>
      textFrom(budi, 'balas', { replyTo: { networkMessageId, text: 'kutipan' } });
    await store(
      tenant.deviceId,
      quotes(sent?.networkMessageId ?? ''),
      quotes(first.networkMessageId),
      quotes('NOBODY'),
    );
    const told = await events(tenant);
    const firstId = told[0]?.data && 'message_id' in told[0].data ? told[0].data.message_id : null;
    expect(told.slice(1).map(({ data }) => ('reply_to' in data ? data.reply_to : undefined))).toEqual([
      { message_id: null, job_id: sent?.id, text: 'kutipan' },
      { message_id: firstId, job_id: null, text: 'kutipan' },
      { message_id: null, job_id: null, text: 'kutipan' },
    ]);
    const linked = await fixture().query('SELECT message_id FROM conversation_messages WHERE message_id = $1', [
      sent?.id,
    ]);
    expect(linked).toHaveLength(1);
  });

  test('never names a message of another account with the same network id', async () => {
    const [other, tenant] = [await fixture().tenant(), await fixture().tenant()];
    const [sent] = await fixture().sending(other);
    const replyTo = { networkMessageId: sent?.networkMessageId ?? '', text: null };
    await store(tenant.deviceId, textFrom(budi, 'balas', { replyTo }));
    expect((await events(tenant))[0]?.data).toMatchObject({ reply_to: { job_id: null } });
  });
});

test('edits, deletions and reactions are events of their own, and the message stays as it was', async () => {
  const tenant = await fixture().tenant();
  const message = textFrom(budi, 'salah');
  const target = { networkMessageId: message.networkMessageId, writtenByUs: false };
  await store(
    tenant.deviceId,
    message,
    { ...everyReport(budi), kind: 'edited', target, content: { type: 'text', text: 'benar' } },
    { ...everyReport(budi), kind: 'reaction', target, emoji: '👍' },
    { ...everyReport(budi), kind: 'reaction', target, emoji: null },
    { ...everyReport(budi), kind: 'deleted', target },
  );
  const [received, edited, reacted, took, deleted] = await events(tenant);
  const targeted = {
    target: { message_id: expect.stringMatching(/^inb_/), network_message_id: message.networkMessageId },
  };
  expect(received?.data).toMatchObject({ text: 'salah' });
  expect(edited).toMatchObject({ type: 'message.edited', data: { ...targeted, text: 'benar' } });
  expect(reacted).toMatchObject({ type: 'message.reaction', data: { ...targeted, emoji: '👍' } });
  expect(took?.data).toMatchObject({ emoji: null });
  expect(deleted).toMatchObject({ type: 'message.deleted', data: targeted });
  expect((await conversations(tenant.deviceId))[0]?.unread).toBe(1);
});

test("the owner's own message makes the chat read and the person known", async () => {
  const tenant = await fixture().tenant();
  await store(tenant.deviceId, textFrom(budi, 'Halo'), {
    ...textFrom(budi, 'Halo juga'),
    kind: 'sent-elsewhere',
  });
  const told = (await events(tenant))[1];
  expect(told).toMatchObject({
    type: 'message.sent_elsewhere',
    data: { to: { phone: budi.phone }, text: 'Halo juga' },
  });
  expect((await conversations(tenant.deviceId))[0]?.unread).toBe(0);
  const stranger = personOf('lid:333', '6281200000333');
  await store(tenant.deviceId, { ...textFrom(stranger, 'Promo'), kind: 'sent-elsewhere' });
  expect(
    await fixture().query('SELECT 1 FROM device_contacts WHERE device_id = $1 AND recipient = $2', [
      tenant.deviceId,
      stranger.phone,
    ]),
  ).toHaveLength(1);
});

test('rubbish is stored too, because a network would repeat what was refused', async () => {
  const tenant = await fixture().tenant();
  const bad = 'a\u0000\ud800'.repeat(200);
  const person = { ...personOf(bad, 'not a number', bad), username: bad };
  const report = {
    ...textFrom(person, bad),
    networkMessageId: bad,
    sentAt: new Date(Number.NaN),
    replyTo: { networkMessageId: bad, text: bad },
  };
  expect(await store(tenant.deviceId, report)).toEqual(['stored']);
  expect(await store(tenant.deviceId, report)).toEqual(['repeated']);
  const [told] = await events(tenant);
  expect(told?.data).toMatchObject({ from: { phone: null }, type: 'text', text: textOf(report.content) });
});

test('a report for a deleted device, or for an account that is being erased, is dropped', async () => {
  const tenant = await fixture().tenant();
  await fixture().query('UPDATE devices SET deleted_at = now() WHERE id = $1', [tenant.deviceId]);
  const erased = await fixture().tenant();
  await fixture().query('UPDATE accounts SET erasure_begun_at = now() WHERE id = $1', [erased.accountId]);
  expect(await store(tenant.deviceId, textFrom(budi, 'Halo'))).toEqual(['ignored']);
  expect(await store(erased.deviceId, textFrom(budi, 'Halo'))).toEqual(['ignored']);
  expect(await store('dev_nobody', textFrom(budi, 'Halo'))).toEqual(['ignored']);
});
