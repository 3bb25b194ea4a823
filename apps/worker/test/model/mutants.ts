/**
 * Faults put into the product's statements on their way to Postgres, to prove that the model sees them. The product
 * knows nothing of them; a change that finds nothing to change is an error, so none of them goes stale unnoticed.
 */
type Change = { readonly statement: string; readonly from: string | RegExp; readonly to: string };

const leaseChecks = /l\.owner = asked\.owner AND l\.epoch = asked\.epoch AND l\.expires_at > now\(\)/g;

export const mutants = {
  'no-epoch': {
    about: 'a claim does not ask whose the lease is',
    changes: [{ statement: 'claim-messages', from: leaseChecks, to: 'true' }],
  },
  'status-back': {
    about: 'any status may follow any other',
    changes: [{ statement: 'move-reported', from: /AND m\.status \|\| '>' \|\| a\.to_status IN \([^)]*\)/g, to: '' }],
  },
  'refund-twice': {
    about: 'what does not go out is given back twice',
    changes: [
      {
        statement: 'expire-messages',
        from: 'p.taken_quota - locked.n',
        to: 'GREATEST(0, p.taken_quota - 2 * locked.n)',
      },
      {
        statement: 'cancel-messages',
        from: 'p.taken_quota - locked.n',
        to: 'GREATEST(0, p.taken_quota - 2 * locked.n)',
      },
    ],
  },
  'claim-expired': {
    about: 'a claim takes what is too late',
    changes: [
      { statement: 'claim-messages', from: 'AND (m.expires_at IS NULL OR m.expires_at > now())', to: '' },
      { statement: 'claim-again', from: 'AND (m.expires_at IS NULL OR m.expires_at > now())', to: '' },
    ],
  },
  'other-id': {
    about: 'every try goes out under an id of its own',
    changes: ['claim-messages', 'claim-again'].map((statement) => ({
      statement,
      from: /RETURNING (next\.ordinal, )?m\.id, m\.request_id, m\.network_message_id/g,
      to: 'RETURNING $1m.id, m.request_id, m.network_message_id || m.attempts AS network_message_id',
    })),
  },
  'no-settle': {
    about: 'a new owner does not look for what an earlier one left',
    changes: [{ statement: 'read-unsettled', from: 'ORDER BY seq', to: 'AND false ORDER BY seq' }],
  },
  'lease-not-raised': {
    about: 'taking a lease leaves the epoch as it was',
    changes: [{ statement: 'take-leases', from: 'epoch = l.epoch + 1', to: 'epoch = l.epoch' }],
  },
  'failed-for-unknown': {
    about: 'a refusal is the whole truth although an earlier try went unanswered',
    changes: [
      {
        statement: 'move-listed',
        from: /CASE WHEN a\.to_status IN \('failed', 'expired'\) AND m\.unanswered > 0/g,
        to: 'CASE WHEN false',
      },
    ],
  },
  overtaking: {
    about: 'what is held holds up nobody behind it',
    changes: [{ statement: 'claim-messages', from: 'h.stage = 0 AND h.waits_until IS NOT NULL', to: 'false' }],
  },
} as const satisfies Record<string, { readonly about: string; readonly changes: readonly Change[] }>;

export type MutantName = keyof typeof mutants;

export const isMutantName = (name: string): name is MutantName => name in mutants;

/** Gives each statement of the product as the mutant has it. */
export function mutate(mutant: MutantName | null): (statement: string | undefined, text: string) => string {
  const changes: readonly Change[] = mutant === null ? [] : mutants[mutant].changes;
  const changed = new Map<string, string>();
  return (statement, text) => {
    if (statement === undefined || changes.length === 0) return text;
    const known = changed.get(statement);
    if (known !== undefined) return known;
    const result = changes
      .filter((change) => change.statement === statement)
      .reduce((before, change) => {
        const after = before.replaceAll(change.from, change.to);
        if (after === before) throw new Error(`mutant ${mutant}: nothing to change in ${statement}`);
        return after;
      }, text);
    changed.set(statement, result);
    return result;
  };
}
