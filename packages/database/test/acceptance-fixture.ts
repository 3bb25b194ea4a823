/** The fixture of the tests of accepting: accepts one message, ends quota and plan, and names the outcomes. */
import type { MessageId } from '@kurir/contracts';
import { expect } from 'vitest';
import { acceptTogether } from '../src/messages/accept-messages.js';
import type { AcceptOutcome, NewMessage } from '../src/messages/new-message.js';
import type { DatabaseFixture } from './database-fixture.js';

export function acceptancesOn(fixture: () => DatabaseFixture) {
  return {
    async accept(message: NewMessage): Promise<AcceptOutcome> {
      const [outcome] = await acceptTogether(fixture().database, fixture().accountKeys, [message]);
      if (outcome === undefined) throw new Error('no outcome');
      return outcome;
    },
    async endQuota(accountId: string): Promise<void> {
      await fixture().query('UPDATE subscription_periods SET taken_quota = initial_quota WHERE account_id = $1', [
        accountId,
      ]);
    },
    async endPlan(accountId: string): Promise<void> {
      await fixture().query(
        `UPDATE subscription_periods SET ends_at = now() - make_interval(secs => 1) WHERE account_id = $1`,
        [accountId],
      );
    },
    async setDevice(deviceId: string, change: string): Promise<void> {
      await fixture().query(`UPDATE devices SET ${change} WHERE id = $1`, [deviceId]);
    },
  };
}

export const refused = (code: string) => ({ kind: 'refused', code });
export const repeated = (messageId: MessageId) => ({ kind: 'repeated', messageId });
export const accepted = expect.objectContaining({ kind: 'accepted' });
export const kinds = (outcomes: readonly AcceptOutcome[]) => outcomes.map((outcome) => outcome.kind);
