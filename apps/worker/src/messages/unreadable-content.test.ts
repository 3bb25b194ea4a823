/** The content of a message is erased, damaged, or sealed with a lost key. */
import { expect, test } from 'vitest';
import { useWorkerFixture } from '../../test/worker-fixture.js';
import { newPhoneNumber } from '../../test/network.js';

const fixture = useWorkerFixture();

/** A time at which a message is not due before the test has changed its stored content. */
const later = () => new Date(Date.now() + 3_600_000);
const makeDue = (ids: readonly string[]) =>
  fixture().query('UPDATE messages SET waits_until = NULL, send_at = NULL WHERE id = ANY ($1)', [ids]);

test.each([
  ['is gone', 'DELETE FROM message_contents WHERE message_id = $1'],
  ['is damaged', `UPDATE message_contents SET sealed = '\\x00' WHERE message_id = $1`],
  ['has lost its key', 'UPDATE message_contents SET key_number = 9 WHERE message_id = $1'],
])('a message whose content %s fails, its quota comes back, and the next one goes out', async (_what, damage) => {
  fixture().startWorker();
  const customer = await fixture().customer({ quota: 10 });
  const phone = newPhoneNumber();
  const tickets = await fixture().accept(customer, [
    { recipient: phone, text: 'unreadable', sendAt: later() },
    { recipient: phone, text: 'readable', sendAt: later() },
  ]);
  const [bad, good] = tickets.map(({ messageId }) => messageId);
  if (bad === undefined || good === undefined) throw new Error('two messages were accepted');
  await fixture().query(damage, [bad]);
  await makeDue([bad, good]);
  await fixture().enqueue(tickets);
  await fixture().untilStatus(good, 'read');
  expect(await fixture().message(bad)).toMatchObject({ status: 'failed', reason: 'content_unreadable', attempts: 1 });
  expect(await fixture().network.texts(phone)).toEqual(['readable']);
  expect(await fixture().remainingQuota(customer)).toBe(9);
});

test('a message of a kind that only newer versions know waits, and the next one goes out', async () => {
  fixture().startWorker();
  const customer = await fixture().customer();
  const phone = newPhoneNumber();
  const tickets = await fixture().accept(customer, [
    { recipient: phone, text: 'hologram', sendAt: later() },
    { recipient: newPhoneNumber(), text: 'text', sendAt: later() },
  ]);
  const [newer, known] = tickets.map(({ messageId }) => messageId);
  if (newer === undefined || known === undefined) throw new Error('two messages were accepted');
  await fixture().query(`UPDATE message_contents SET kind = 'hologram' WHERE message_id = $1`, [newer]);
  await makeDue([newer, known]);
  await fixture().enqueue(tickets);
  await fixture().untilStatus(known, 'read');
  expect(await fixture().message(newer)).toMatchObject({
    status: 'queued',
    reason: 'temporarily_unavailable',
    deferred: true,
  });
});

test('a text that an earlier version stored in the row of its message goes out', async () => {
  fixture().startWorker();
  const customer = await fixture().customer();
  const phone = newPhoneNumber();
  const [ticket] = await fixture().accept(customer, [{ recipient: phone, text: 'new', sendAt: later() }]);
  if (ticket === undefined) throw new Error('one message was accepted');
  await fixture().query(`UPDATE messages SET body = 'old' WHERE id = $1`, [ticket.messageId]);
  await fixture().query('DELETE FROM message_contents WHERE message_id = $1', [ticket.messageId]);
  await makeDue([ticket.messageId]);
  await fixture().enqueue([ticket]);
  await fixture().untilStatus(ticket.messageId, 'read');
  expect(await fixture().network.texts(phone)).toEqual(['old']);
});
