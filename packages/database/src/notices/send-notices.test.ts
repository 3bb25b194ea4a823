/** Tests of which notices go out in one mail, and to whom. */
import { expect, test } from 'vitest';
import { useDatabaseFixture } from '../../test/database-fixture.js';
import { NoticesFixture } from '../../test/notices-fixture.js';
import { chooseNotices } from './own-notices.js';
import { endNotices } from './send-notices.js';

const fixture = useDatabaseFixture();
const people = new NoticesFixture(fixture);

async function reader() {
  const tenant = await fixture().tenant();
  return people.newMember(tenant, 'developer');
}

type Reader = Awaited<ReturnType<typeof reader>>;

/** A notice about this subject, whose mail is due in some seconds. */
async function make({ accountId, userId }: Reader, subject: string, dueInSeconds = 0): Promise<void> {
  await fixture().query(
    `INSERT INTO notices (account_id, user_id, kind, subject_id, state, at, due_at)
     VALUES ($1, $2, 'webhook.failing', $3, '1', now(), now() + make_interval(secs => $4) - interval '2 milliseconds')`,
    [accountId, userId, subject, dueInSeconds],
  );
}

const subjectsOf = async (person: Reader) =>
  (await people.claimAll(person)).map(({ items }) => items.map(({ subject }) => subject));

test('nobody gets a mail of a kind that was switched off meanwhile', async () => {
  const person = await reader();
  await make(person, 'whk_1');
  const choice = { kind: 'webhook.failing', bell: true } as const;
  await chooseNotices(fixture().database, person, { ...choice, mail: false });
  expect(await people.claimAll(person)).toMatchObject([{ recipient: null }]);
  await people.makeDue(person);
  await chooseNotices(fixture().database, person, { ...choice, mail: true });
  expect(await people.claimAll(person)).toMatchObject([{ recipient: person.email }]);
});

test('a mail takes what is due within half a minute, and leaves what waits for longer', async () => {
  const person = await reader();
  await make(person, 'whk_due');
  await make(person, 'whk_soon', 20);
  await make(person, 'whk_quiet', 1_800);
  expect(await subjectsOf(person)).toEqual([['whk_due', 'whk_soon']]);
});

test('a notice from before the last day, that nobody could mail, goes along with no newer one', async () => {
  const person = await reader();
  await make(person, 'whk_old', -25 * 3_600);
  await make(person, 'whk_due');
  expect(await subjectsOf(person)).toEqual([['whk_due']]);
});

test('what waits while a mail goes out is mailed ten minutes later, or when it is due', async () => {
  const person = await reader();
  await make(person, 'whk_due');
  const [mail] = await people.claimAll(person);
  await make(person, 'whk_at_once');
  await make(person, 'whk_soon', 120);
  await make(person, 'whk_quiet', 1_800);
  await endNotices(fixture().database, mail?.items.map(({ id }) => id) ?? [], 'sent');
  const waits = await fixture().query(
    `SELECT subject_id, round(extract(epoch FROM due_at - now()) / 60)::int AS minutes FROM notices
     WHERE account_id = $1 AND due_at IS NOT NULL ORDER BY id`,
    [person.accountId],
  );
  expect(waits).toEqual([
    { subject_id: 'whk_at_once', minutes: 10 },
    { subject_id: 'whk_soon', minutes: 10 },
    { subject_id: 'whk_quiet', minutes: 30 },
  ]);
});
