/**
 * States that contradict the network: the stored state of a message and the phone differ. This check also finds
 * messages at the wrong phone and messages that nobody asked for. It finds stored messages that were refused, and
 * impossible moves.
 */
import { messageMoves } from '@kurir/contracts';
import type { Row } from '../records/database-record.js';
import type { Records, Seen } from '../records/records.js';
import { type Finding, finding } from './findings.js';

const reachedPhone = new Set(['sent', 'delivered', 'read']);

/** The network repeats receipts until they are stored. So every message that the phone shows must end as `read`. */
function againstPhone({ row, shown }: Seen): string | null {
  if (row === null) return shown.length > 0 ? 'is at the phone and not stored' : null;
  if (shown.length > 0 && row.status !== 'read') return `is ${row.status}, and the phone has read it`;
  if (shown.length === 0 && reachedPhone.has(row.status)) return `is ${row.status}, and no phone has it`;
  return null;
}

function againstClient({ recorded, row }: Seen): string | null {
  if (row === null) return null;
  if (recorded === null) return 'is stored, and nobody asked for it';
  const { verdict, cancelledAt } = recorded;
  if (verdict?.kind === 'refused' && !verdict.unclearBefore) return `was refused with ${verdict.code}, and is stored`;
  if (cancelledAt !== null && row.status !== 'cancelled') return `was cancelled, and is ${row.status}`;
  return null;
}

/** The database and the phone must have the account, device and recipient that the client asked for. */
function atOthers({ recorded, row, shown }: Seen, { accountIds, deviceIds }: Records): string | null {
  if (recorded === null) return null;
  const { account, device, recipient } = recorded.asked;
  const deviceId = deviceIds[account]?.[device];
  if (row !== null && (row.accountId !== accountIds[account] || row.deviceId !== deviceId))
    return `is stored for ${row.accountId} and ${row.deviceId}`;
  const astray = shown.find((frame) => frame.deviceId !== deviceId || frame.recipient !== recipient);
  return astray === undefined ? null : `went from ${astray.deviceId} to another phone`;
}

function wrongMove({ moves, status }: Row): string | null {
  const path = ['queued' as const, ...moves.map((move) => move.status)];
  const wrong = path.findIndex((to, i) => {
    const from = path[i - 1];
    return from !== undefined && !messageMoves[from].includes(to);
  });
  if (wrong > 0) return `went from ${path[wrong - 1]} to ${path[wrong]}`;
  return path.at(-1) === status ? null : `is ${status}, and its last move was to ${path.at(-1)}`;
}

export function findContradictions(messages: readonly Seen[], records: Records): Finding[] {
  const found = messages.flatMap((seen) =>
    [
      againstPhone(seen),
      againstClient(seen),
      atOthers(seen, records),
      seen.row === null ? null : wrongMove(seen.row),
    ].flatMap((what) => (what === null ? [] : [finding('states_that_contradict_the_network', `${seen.ref} ${what}`)])),
  );
  const { foreign } = records.network;
  const storedTwice = records.database.rows.length - messages.filter(({ row }) => row !== null).length;
  if (foreign > 0) found.push(finding('states_that_contradict_the_network', `${foreign} texts at phones are nobody's`));
  if (storedTwice > 0)
    found.push(
      finding('states_that_contradict_the_network', `${storedTwice} messages are stored under a used client_ref`),
    );
  return found;
}
