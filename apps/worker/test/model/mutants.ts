/**
 * Faults in the product's statements, which prove that the model finds them. The wiretap changes the statements on their way
 * to Postgres. A change that finds nothing to change is an error, and so is one whose statement never runs: so no mutant
 * becomes outdated unnoticed.
 */
type Change = { readonly statement: string; readonly from: string | RegExp; readonly to: string };

type Mutant = {
  readonly about: string;
  readonly changes: readonly Change[];
  /** Runs before the first run, to remove a constraint of the schema that would hide the fault. */
  readonly sql?: string;
};

const leaseChecks = /l\.owner = asked\.owner AND l\.epoch = asked\.epoch AND l\.expires_at > now\(\)/g;

export const mutants = {
  'no-epoch': {
    about: 'a claim does not check the lease',
    changes: [{ statement: 'claim-messages', from: leaseChecks, to: 'true' }],
  },
  'two-in-flight': {
    about: 'a claim ignores messages that are `sending`, and no index allows only one of them',
    sql: 'DROP INDEX messages_one_sending_idx',
    changes: [{ statement: 'claim-messages', from: 'm.device_id = held.device_id AND m.stage = 1', to: 'false' }],
  },
  'late-refusal': {
    about: 'a refusal of an earlier try counts for the present try',
    changes: [{ statement: 'move-listed', from: 'AND (a.attempt IS NULL OR m.attempts = a.attempt)', to: '' }],
  },
  'unheard-claim-costs': {
    about: 'a claim whose answer the worker never received counts as an unanswered try',
    changes: [{ statement: 'claim-messages', from: "m.id || '#' || m.attempts <> held.last_try", to: 'false' }],
  },
  'missing-step': {
    about: 'a report does not record the earlier steps that it implies',
    changes: [
      {
        statement: 'move-reported',
        from: /coalesce\(array_position\((ARRAY\[[^\]]*\]), locked\.before\), 0\) \+ 1/g,
        to: 'array_position($1, m.status)',
      },
    ],
  },
  'event-not-counted': {
    about: 'a move does not count its event, so that the next one has the same number',
    changes: [{ statement: 'move-listed', from: 'm.event_count + cardinality', to: 'm.event_count + 0 * cardinality' }],
  },
  'code-overtakes': {
    about: 'a one-time code overtakes an unanswered one to the same recipient',
    changes: [
      {
        statement: 'claim-messages',
        from: 'AND (s.id IS NULL OR s.priority > 0 OR m.recipient <> s.recipient OR m.seq < s.seq)',
        to: '',
      },
    ],
  },
  'no-pace': {
    about: "a claim does not wait for the device's pace",
    changes: [{ statement: 'claim-messages', from: 'CASE WHEN o.opens_at > now() THEN 0 ELSE 2 END', to: '2' }],
  },
  'no-limit': {
    about: 'a claim does not ask whether the recipient is a new contact',
    changes: [
      {
        statement: 'claim-messages',
        from: /\(\(m\.device_id NOT IN \(SELECT device_id FROM refusing WHERE codes_too\)/g,
        to: '(true OR (m.device_id NOT IN (SELECT device_id FROM refusing WHERE codes_too)',
      },
    ],
  },
  'status-back': {
    about: 'any status may follow any other',
    changes: [{ statement: 'move-reported', from: /AND m\.status \|\| '>' \|\| a\.to_status IN \([^)]*\)/g, to: '' }],
  },
  'refund-twice': {
    about: 'the quota of a message that does not go out is refunded twice',
    changes: ['expire-messages', 'cancel-messages'].map((statement) => ({
      statement,
      from: 'p.taken_quota - charged.n',
      to: 'GREATEST(0, p.taken_quota - 2 * charged.n)',
    })),
  },
  'claim-expired': {
    about: 'a claim takes expired messages, and does not say when a message expires',
    changes: [
      { statement: 'claim-messages', from: 'AND (m.expires_at IS NULL OR m.expires_at > now())', to: '' },
      {
        statement: 'claim-messages',
        from: '(extract(epoch FROM m.expires_at - now()) * 1000)::float8 AS expires_in_ms',
        to: 'NULL::float8 AS expires_in_ms',
      },
    ],
  },
  'other-id': {
    about: 'each try goes out under its own id',
    changes: [
      {
        statement: 'claim-messages',
        from: 'm.account_id, m.network_message_id, m.recipient',
        to: 'm.account_id, m.network_message_id || m.attempts AS network_message_id, m.recipient',
      },
    ],
  },
  'lease-not-raised': {
    about: 'taking a lease leaves the epoch as it was',
    changes: [{ statement: 'take-leases', from: 'epoch = l.epoch + 1', to: 'epoch = l.epoch' }],
  },
  'failed-for-unknown': {
    about: 'a refusal ends the message as failed although an earlier try is unanswered',
    changes: [
      {
        statement: 'move-listed',
        from: /CASE WHEN a\.to_status IN \('failed', 'expired'\) AND m\.unanswered > 0/g,
        to: 'CASE WHEN false',
      },
    ],
  },
  overtaking: {
    about: 'a deferred message does not delay later ones to its recipient',
    changes: [{ statement: 'claim-messages', from: 'h.stage = 0 AND h.waits_until IS NOT NULL', to: 'false' }],
  },
} as const satisfies Record<string, Mutant>;

export type MutantName = keyof typeof mutants;

export const isMutantName = (name: string): name is MutantName => name in mutants;

const mutantOf = (name: MutantName | null): Mutant => (name === null ? { about: '', changes: [] } : mutants[name]);

/** Returns the changed statement. Throws if there is nothing to change. */
function change(mutant: string, statement: string, text: string, changes: readonly Change[]): string {
  return changes.reduce((before, { from, to }) => {
    const after = before.replaceAll(from, to);
    if (after === before) throw new Error(`mutant ${mutant}: nothing to change in ${statement}`);
    return after;
  }, text);
}

export type Mutation = {
  readonly sql: string | null;
  /** Returns a statement of the product as the mutant has it. */
  readonly rewrite: (statement: string | undefined, text: string) => string;
  /** Returns the names of the statements that the mutant changes but that never ran. */
  idle(): string[];
};

export function mutate(name: MutantName | null): Mutation {
  const { changes, sql = null } = mutantOf(name);
  const changed = new Map<string, string>();
  const rewrite = (statement: string | undefined, text: string): string => {
    const own = changes.filter((one) => one.statement === statement);
    if (statement === undefined || own.length === 0) return text;
    const result = changed.get(statement) ?? change(String(name), statement, text, own);
    changed.set(statement, result);
    return result;
  };
  const idle = () => [...new Set(changes.map(({ statement }) => statement))].filter((one) => !changed.has(one));
  return { sql, rewrite, idle };
}
