/** People who get notices, and the two steps from an event to a mail, for the tests of a file. */
import { type AccountId, newId, type NoticeKind, type UserId } from '@kurir/contracts';
import type { MemberRole } from '@kurir/contracts/dashboard';
import { waitUntil } from '@kurir/testing';
import { addMember } from '../src/accounts/members.js';
import { ensurePerson } from '../src/accounts/people.js';
import { collectNotices, hasNoticeEvents } from '../src/notices/collect-notices.js';
import { type ClaimedNotices, claimNotices } from '../src/notices/send-notices.js';
import type { DatabaseFixture, Tenant } from './database-fixture.js';

export type NoticeTold = {
  readonly user_id: UserId;
  readonly kind: NoticeKind;
  readonly subject_id: string;
  readonly state: string | null;
  readonly reason: string | null;
  readonly in_bell: boolean;
  readonly due_at: Date | null;
};

type OfAccount = Pick<Tenant, 'accountId'>;

export class NoticesFixture {
  readonly #fixture: () => DatabaseFixture;

  constructor(fixture: () => DatabaseFixture) {
    this.#fixture = fixture;
  }

  async newMember({ accountId }: OfAccount, role: MemberRole = 'owner', name = 'Siti') {
    const email = `${newId('usr')}@example.com`;
    const { database } = this.#fixture();
    const userId = await ensurePerson(database, { email, name, passwordHash: 'x', isAdmin: false });
    await addMember(database, accountId, userId, role);
    return { accountId, userId, email };
  }

  /** The notices of the account, in the order in which they were made. */
  told({ accountId }: OfAccount): Promise<NoticeTold[]> {
    return this.#fixture().query(
      'SELECT user_id, kind, subject_id, state, reason, in_bell, due_at FROM notices WHERE account_id = $1 ORDER BY id',
      [accountId],
    );
  }

  /** Collects until no event is left to read. Statements of other files in this cluster may hold the log back. */
  async collectAll(): Promise<void> {
    const { database } = this.#fixture();
    const [mark] = await this.#fixture().query<{ xid: string }>('SELECT pg_current_xact_id()::text AS xid');
    await waitUntil(
      async () => {
        const [now] = await this.#fixture().query<{ past: boolean }>(
          'SELECT pg_snapshot_xmin(pg_current_snapshot()) > $1::xid8 AS past',
          [mark?.xid],
        );
        return now?.past ?? false;
      },
      { what: 'the log is readable up to here', timeoutMs: 30_000 },
    );
    while (await hasNoticeEvents(database)) await collectNotices(database);
  }

  /** Collects all, and returns the kinds of the account's notices. */
  async kindsOf(tenant: OfAccount): Promise<NoticeKind[]> {
    await this.collectAll();
    return (await this.told(tenant)).map(({ kind }) => kind);
  }

  async makeDue({ accountId }: OfAccount): Promise<void> {
    await this.#fixture().query(
      `UPDATE notices SET due_at = now() - interval '1 second' WHERE account_id = $1 AND due_at IS NOT NULL`,
      [accountId],
    );
  }

  /** Claims all mails that are due, and returns those of the account. */
  async claimAll({ accountId }: { readonly accountId: AccountId }): Promise<ClaimedNotices[]> {
    const claimed: ClaimedNotices[] = [];
    for (;;) {
      const notices = await claimNotices(this.#fixture().database);
      if (notices === null) return claimed.filter((one) => one.accountId === accountId);
      claimed.push(notices);
    }
  }

  /** Puts everything that happened into the past. */
  async letPass(minutes: number): Promise<void> {
    const earlier = (column: string) => `${column} = ${column} - make_interval(mins => $1)`;
    for (const change of [
      `events SET ${earlier('at')}`,
      `devices SET ${earlier('state_at')}, ${earlier('last_connected_at')}`,
      `notices SET ${earlier('at')}, ${earlier('mailed_at')}`,
    ])
      await this.#fixture().query(`UPDATE ${change}`, [minutes]);
  }
}
