/** The three records side by side. */
import type { ClientRecord, Recorded } from './client-record.js';
import type { DatabaseRecord, Row } from './database-record.js';
import type { NetworkRecord, Shown } from './network-record.js';

export type Records = {
  readonly client: ClientRecord['byRef'];
  readonly database: DatabaseRecord;
  readonly network: NetworkRecord;
  /** Ids as the client knows customers and devices: by index. */
  readonly accountIds: readonly string[];
  readonly deviceIds: readonly (readonly string[])[];
};

/** One message in all three; `row` or `recorded` is null where a record does not know it. */
export type Seen = {
  readonly ref: string;
  readonly recorded: Recorded | null;
  readonly row: Row | null;
  readonly shown: readonly Shown[];
};

const never: readonly Shown[] = [];

/** Every message that any of the three records knows. */
export function seenMessages({ client, database, network }: Records): Seen[] {
  const rows = new Map(database.rows.map((row) => [row.ref, row]));
  const refs = new Set([...client.keys(), ...rows.keys(), ...network.shown.keys()]);
  return [...refs].map((ref) => ({
    ref,
    recorded: client.get(ref) ?? null,
    row: rows.get(ref) ?? null,
    shown: network.shown.get(ref) ?? never,
  }));
}
