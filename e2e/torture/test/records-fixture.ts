/** The three records of an attack, made by hand: each case changes one message that is otherwise as it should be. */
import type { MessageStatus } from '@kurir/contracts';
import { compare } from '../checks/compare.js';
import type { FindingName } from '../checks/findings.js';
import type { Asked, Recorded, Verdict } from '../records/client-record.js';
import type { DeviceLimits, Row } from '../records/database-record.js';
import type { LeaseChange } from '../records/lease-log.js';
import type { Heard, Kick, Shown, Trouble } from '../records/network-record.js';
import type { Records } from '../records/records.js';

export type Case = {
  asked?: Partial<Asked>;
  verdict?: Verdict | null;
  cancelledAt?: number;
  row?: Partial<Row> | null;
  shown?: Partial<Shown>[];
};

export const accepted = (more: Partial<Extract<Verdict, { kind: 'accepted' }>> = {}): Verdict => ({
  kind: 'accepted',
  jobId: 'msg_1',
  at: 1_100,
  request: 'r1',
  position: 0,
  ...more,
});

const asked = (ref: string, more: Partial<Asked> = {}): Asked => ({
  ref,
  account: 0,
  device: 0,
  recipient: '62813',
  priority: 'otp',
  ttlSeconds: null,
  sendAt: null,
  askedAt: 1_000,
  ...more,
});

const pathTo: Partial<Record<MessageStatus, MessageStatus[]>> = {
  sending: ['sending'],
  sent: ['sending', 'sent'],
  read: ['sending', 'sent', 'read'],
  failed: ['sending', 'failed'],
  unknown: ['sending', 'unknown'],
  expired: ['expired'],
  cancelled: ['cancelled'],
};

function rowOf(ref: string, more: Partial<Row> = {}): Row {
  const status = more.status ?? 'read';
  const moves = (pathTo[status] ?? []).map((to, i) => ({ status: to, at: 100_000 + i }));
  const ids = { id: 'msg_1', ref, accountId: 'acc', deviceId: 'dev', networkMessageId: '3EB0' };
  return { ...ids, recipient: '62813', status, reason: null, expiresAt: null, unanswered: 0, moves, ...more };
}

const shownOf = (more: Partial<Shown>): Shown => ({
  n: 1,
  at: 1_200,
  deviceId: 'dev',
  recipient: '62813',
  networkMessageId: '3EB0',
  ...more,
});

export type Surroundings = {
  refusals?: Map<string, Set<string>>;
  troubles?: Map<string, Trouble[]>;
  kicks?: Kick[];
  leases?: Map<string, LeaseChange[]>;
  heard?: Map<string, Heard[]>;
  limits?: Map<string, DeviceLimits>;
};

export function recordsOf(cases: Record<string, Case>, around: Surroundings = {}): Records {
  const client = new Map<string, Recorded>();
  const rows: Row[] = [];
  const shown = new Map<string, Shown[]>();
  for (const [ref, one] of Object.entries(cases)) {
    const verdict = one.verdict === undefined ? accepted({ request: ref }) : one.verdict;
    client.set(ref, { asked: asked(ref, one.asked), verdict, cancelledAt: one.cancelledAt ?? null });
    if (one.row !== null) rows.push(rowOf(ref, one.row));
    const frames = one.shown ?? [{}];
    if (frames.length > 0) shown.set(ref, frames.map(shownOf));
  }
  const { refusals = new Map(), troubles = new Map(), kicks = [], leases = new Map() } = around;
  const { heard = new Map(), limits = new Map() } = around;
  return {
    client,
    database: { rows, periods: [], leases, limits },
    network: { shown, foreign: 0, repeatsDropped: 0, refusals, troubles, kicks, heard },
    accountIds: ['acc'],
    deviceIds: [['dev']],
  };
}

export function found(cases: Record<string, Case>, around?: Surroundings): FindingName[] {
  return [...new Set(compare(recordsOf(cases, around)).findings.map((finding) => finding.name))];
}
