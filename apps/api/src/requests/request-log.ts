/**
 * Notes the requests of keys for the page *Requests*. It runs after the answer, keeps rows in memory and writes them in
 * batches. No request waits for it or is refused because of it. It may lose rows: then the log says how many.
 */
import { type ErrorCode, newId } from '@kurir/contracts';
import type { StoredRequest } from '@kurir/database';
import { shownAddress } from '../http/callers/shown-address.js';
import type { NoteEnd } from '../http/request-trace.js';
import { createRequestBudget, type KeyOfRequest, type RequestKind } from './request-budget.js';

export type RequestLog = {
  /** Notes a request whose answer is over. It neither waits nor throws. */
  readonly note: NoteEnd;
  /** Writes the last batch. */
  close(): Promise<void>;
};

export type RequestLogOptions = {
  readonly everyMs: number;
  readonly write: (requests: readonly StoredRequest[]) => Promise<void>;
  /** Returns the live key, or null. Asked for requests with a wrong signature or time. */
  readonly readKey: (keyId: string) => Promise<KeyOfRequest | null>;
  /** So many requests have no row, because the database did not take them in time. */
  readonly onLost: (lost: number, error: unknown) => void;
  readonly now: () => number;
};

/** Rows that wait for one write. */
const mostWaiting = 5_000;
/** Requests with a wrong signature that wait until their key is looked up. */
const mostClaims = 200;

type Ended = Pick<StoredRequest, 'id' | 'at' | 'operation' | 'status' | 'durationMs'> & {
  readonly code: ErrorCode | null;
  readonly address: string | undefined;
};

/** A request whose sender did not prove that it has the key. */
type Claim = { readonly keyId: string; readonly ended: Ended };

const kindOf = ({ status }: Ended): RequestKind => (status !== null && status < 400 ? 'accepted' : 'refused');

/** A row that counts. */
const nothing = { operation: null, status: null, code: null, durationMs: null, address: null } as const;

/** The rows that wait for the next write. */
function createWaiting(now: () => number) {
  const budget = createRequestBudget(now);
  let rows: StoredRequest[] = [];
  let lost = 0;

  function push(row: StoredRequest): void {
    if (rows.length < mostWaiting) rows.push(row);
    else lost += 1;
  }

  function beginMinute(): void {
    for (const { key, notRecorded, at } of budget.beginMinute())
      push({
        id: newId('req', at),
        at: new Date(at),
        accountId: key.accountId,
        keyId: key.id,
        ...nothing,
        notRecorded,
      });
  }

  return {
    add(key: KeyOfRequest, kind: RequestKind, { address, ...row }: Ended): void {
      beginMinute();
      if (!budget.take(key, kind)) return;
      push({ ...row, accountId: key.accountId, keyId: key.id, address: shownAddress(address), notRecorded: 0 });
    },
    /** Returns all rows, and how many found no place. */
    take(): { readonly batch: readonly StoredRequest[]; readonly lost: number } {
      beginMinute();
      const taken = { batch: rows, lost };
      rows = [];
      lost = 0;
      return taken;
    },
  };
}

export function createRequestLog({ everyMs, write, readKey, onLost, now }: RequestLogOptions): RequestLog {
  const waiting = createWaiting(now);
  let claims: Claim[] = [];
  let running: Promise<void> | null = null;

  /** A row belongs to the account of a key that exists. The ids of other keys leave no trace. */
  async function settleClaims(): Promise<void> {
    const settled = claims;
    claims = [];
    for (const { keyId, ended } of settled) {
      // If the key cannot be read now, only this row is missing.
      const key = await readKey(keyId).catch(() => null);
      if (key !== null) waiting.add(key, 'unsigned', ended);
    }
  }

  async function writeBatch(): Promise<void> {
    let failure: unknown;
    const note = (error: unknown) => {
      failure = error;
      return true;
    };
    await settleClaims();
    const { batch, lost } = waiting.take();
    const failed = batch.length > 0 && (await write(batch).then(() => false, note));
    const missing = lost + (failed ? batch.length : 0);
    if (missing > 0) onLost(missing, failure);
  }

  /** While a write hangs, no second one begins. */
  const flush = (): Promise<void> =>
    (running ??= writeBatch().finally(() => {
      running = null;
    }));

  const timer = setInterval(() => void flush(), everyMs);
  timer.unref();

  return {
    note({ id, operation, keyId, accountId, claimedKeyId, code, address }, { status, durationMs }) {
      if (operation === null) return;
      const tookMs = Math.round(durationMs);
      const ended = { id, operation, status, durationMs: tookMs, code, at: new Date(now() - tookMs), address };
      if (keyId !== null && accountId !== null) waiting.add({ id: keyId, accountId }, kindOf(ended), ended);
      else if (claimedKeyId !== null && code !== 'INVALID_API_KEY' && claims.length < mostClaims)
        claims.push({ keyId: claimedKeyId, ended });
    },
    async close() {
      clearInterval(timer);
      await running;
      await flush();
    },
  };
}
