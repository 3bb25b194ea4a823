/**
 * The client's own record of its requests and their verdicts. It writes a message before it sends the request, and a
 * verdict when it gets one. So a resumed client repeats its requests under the same `client_ref`.
 */
import { existsSync, openSync, readFileSync, truncateSync, writeSync } from 'node:fs';

export type Priority = 'otp' | 'normal' | 'bulk';

/** A message that the client asks for under one `client_ref`. Times are unix milliseconds of this machine. */
export type Asked = {
  readonly ref: string;
  /** The index of the account, and of the device in its account. */
  readonly account: number;
  readonly device: number;
  readonly recipient: string;
  readonly priority: Priority;
  readonly ttlSeconds: number | null;
  readonly sendAt: number | null;
  /** The time before the first request. */
  readonly askedAt: number;
};

export type Verdict =
  | {
      readonly kind: 'accepted';
      readonly jobId: string;
      readonly at: number;
      /** The answered request and the position in it, because a bulk has an order. */
      readonly request: string;
      readonly position: number;
    }
  | {
      readonly kind: 'refused';
      readonly code: string;
      readonly at: number;
      /**
       * True if an earlier try under the same `client_ref` got no answer. Then the api may have accepted the message.
       */
      readonly unclearBefore: boolean;
    };

export type Recorded = { readonly asked: Asked; verdict: Verdict | null; cancelledAt: number | null };

type Line =
  | { readonly a: Asked }
  | { readonly ref: string; readonly v: Verdict }
  | { readonly ref: string; readonly c: number };

export type ClientRecord = {
  readonly byRef: ReadonlyMap<string, Recorded>;
  /** Returns when the messages are in the file. */
  ask(messages: readonly Asked[]): void;
  decide(verdicts: readonly { readonly ref: string; readonly verdict: Verdict }[]): void;
  cancelled(ref: string, at: number): void;
};

function apply(byRef: Map<string, Recorded>, line: Line): void {
  if ('a' in line) {
    byRef.set(line.a.ref, { asked: line.a, verdict: null, cancelledAt: null });
    return;
  }
  const recorded = byRef.get(line.ref);
  if (recorded === undefined) throw new Error(`the record knows no ${line.ref}`);
  if ('v' in line) recorded.verdict = line.v;
  else recorded.cancelledAt = line.c;
}

/** Drops a last line that is incomplete. */
function readLines(path: string): Line[] {
  if (!existsSync(path)) return [];
  const bytes = readFileSync(path);
  const end = bytes.lastIndexOf(0x0a) + 1;
  if (end < bytes.length) truncateSync(path, end);
  // Only complete lines of this program are left.
  return bytes
    .toString('utf8', 0, end)
    .split('\n')
    .flatMap((line) => (line === '' ? [] : [JSON.parse(line) as Line]));
}

export function openClientRecord(path: string): ClientRecord {
  const byRef = new Map<string, Recorded>();
  for (const line of readLines(path)) apply(byRef, line);
  const file = openSync(path, 'a');
  const write = (lines: readonly Line[]) => {
    if (lines.length === 0) return;
    for (const line of lines) apply(byRef, line);
    writeSync(file, lines.map((line) => `${JSON.stringify(line)}\n`).join(''));
  };
  return {
    byRef,
    ask: (messages) => write(messages.map((message) => ({ a: message }))),
    decide: (verdicts) => write(verdicts.map(({ ref, verdict }) => ({ ref, v: verdict }))),
    cancelled: (ref, at) => write([{ ref, c: at }]),
  };
}
