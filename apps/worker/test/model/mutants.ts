/**
 * Faults put into the product's statements on their way to Postgres, to prove that the model sees them. The product
 * knows nothing of them. A change that finds nothing to change is an error, and so is one whose statement nobody asks for: none
 * of them goes stale unnoticed.
 */
type Change = { readonly statement: string; readonly from: string | RegExp; readonly to: string };

type Mutant = {
  readonly about: string;
  readonly changes: readonly Change[];
  /** Run before the first life: what the schema holds must not hide the fault. */
  readonly sql?: string;
};

const leaseChecks = /l\.owner = asked\.owner AND l\.epoch = asked\.epoch AND l\.expires_at > now\(\)/g;

export const mutants = {
  'no-epoch': {
    about: 'a claim does not ask whose the lease is',
    changes: [{ statement: 'claim-messages', from: leaseChecks, to: 'true' }],
  },
  'two-in-flight': {
    about: 'a claim does not look for what stands as sending, and no index holds that it is one message',
    sql: 'DROP INDEX messages_one_sending_idx',
    changes: [{ statement: 'claim-messages', from: 'm.device_id = held.device_id AND m.stage = 1', to: 'false' }],
  },
  'late-refusal': {
    about: 'a refusal of an earlier try counts as one of the present try',
    changes: [{ statement: 'move-listed', from: 'AND (a.attempt IS NULL OR m.attempts = a.attempt)', to: '' }],
  },
  'unheard-claim-costs': {
    about: 'a claim of which its worker did not hear counts as a try without an answer',
    changes: [{ statement: 'claim-messages', from: "m.id || '#' || m.attempts <> held.last_try", to: 'false' }],
  },
  'missing-step': {
    about: 'a report does not record the steps that it implies',
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
    about: 'a code goes before an earlier one to its recipient that has no answer',
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
    about: 'what does not go out is given back twice',
    changes: ['expire-messages', 'cancel-messages'].map((statement) => ({
      statement,
      from: 'p.taken_quota - charged.n',
      to: 'GREATEST(0, p.taken_quota - 2 * charged.n)',
    })),
  },
  'claim-expired': {
    about: 'a claim takes what is too late, and does not say how long it has',
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
    about: 'every try goes out under an id of its own',
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
    about: 'what is held holds up nobody after it',
    changes: [{ statement: 'claim-messages', from: 'h.stage = 0 AND h.waits_until IS NOT NULL', to: 'false' }],
  },
} as const satisfies Record<string, Mutant>;

export type MutantName = keyof typeof mutants;

export const isMutantName = (name: string): name is MutantName => name in mutants;

const mutantOf = (name: MutantName | null): Mutant => (name === null ? { about: '', changes: [] } : mutants[name]);

/** The statement as the mutant has it; throws where there is nothing to change. */
function change(mutant: string, statement: string, text: string, changes: readonly Change[]): string {
  return changes.reduce((before, { from, to }) => {
    const after = before.replaceAll(from, to);
    if (after === before) throw new Error(`mutant ${mutant}: nothing to change in ${statement}`);
    return after;
  }, text);
}

export type Mutation = {
  readonly sql: string | null;
  /** Gives each statement of the product as the mutant has it. */
  readonly rewrite: (statement: string | undefined, text: string) => string;
  /** The statements that it was to change and that nobody has asked for. */
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
