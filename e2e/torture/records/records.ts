/** The three records side by side. */
import type { ClientRecord, Recorded } from './client-record.js';
import type { DatabaseRecord, Row } from './database-record.js';
import type { NetworkRecord, Shown } from './network-record.js';

export type Records = {
  readonly client: ClientRecord['byRef'];
  readonly database: DatabaseRecord;
  readonly network: NetworkRecord;
  /** The client knows accounts and devices by these indexes. */
  readonly accountIds: readonly string[];
  readonly deviceIds: readonly (readonly string[])[];
};

/** One message in all three records. `row` or `recorded` is null if that record does not know the message. */
export type Seen = {
  readonly ref: string;
  readonly recorded: Recorded | null;
  readonly row: Row | null;
  readonly shown: readonly Shown[];
};

const never: readonly Shown[] = [];

/** Every message that at least one of the three records knows. */
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
