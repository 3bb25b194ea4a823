/**
 * Repeats each request under the same `client_ref` until every message in it has a verdict. A missing or unclear answer
 * is never a verdict, so no message is given up because of one.
 */
import { setTimeout as sleep } from 'node:timers/promises';
import type { Random } from '../plan/random.js';
import type { AttackedAccount } from '../processes/attacked-accounts.js';
import type { Asked, ClientRecord, Verdict } from '../records/client-record.js';
import { bodyOf, type Composed } from './compose.js';
import type { BulkResult, Envelope, GatewayClient, Reply } from './gateway-client.js';

export type PersistentClientOptions = {
  readonly random: Random;
  readonly accounts: readonly AttackedAccount[];
  readonly record: ClientRecord;
  readonly client: GatewayClient;
};

export type Decided = { readonly message: Asked; readonly verdict: Verdict };

/** The share of answers that the client throws away. */
const answerThrownAway = 0.01;
const pausesMs = [50, 100, 200, 400, 800] as const;
/** How long the client repeats a request for a device that is not connected. */
const deviceAwayMs = 90_000;

const pauseMs = (round: number) => pausesMs[Math.min(round, pausesMs.length) - 1] ?? 0;

/** Whether the answer says what became of the request. */
const isClear = (reply: Reply): reply is Extract<Reply, { kind: 'answered' }> =>
  reply.kind === 'answered' && reply.status < 500 && reply.status !== 429;

/** A device that is away may be back in a moment. */
const isPatient = (code: string | undefined, message: Asked) =>
  code === 'DEVICE_NOT_CONNECTED' && Date.now() - message.askedAt < deviceAwayMs;

type Answered = { readonly body: Envelope; readonly request: string; readonly unclearBefore: boolean };

function resultAt({ data, code }: Envelope, position: number): BulkResult {
  if (data?.results !== undefined) return data.results[position] ?? {};
  return { ...data, ...(code === undefined ? {} : { code }) };
}

function verdictOf({ job_id: jobId, code }: BulkResult, position: number, answered: Answered): Verdict {
  const at = Date.now();
  const { request, unclearBefore } = answered;
  return jobId === undefined
    ? { kind: 'refused', code: code ?? 'none', at, unclearBefore }
    : { kind: 'accepted', jobId, at, request, position };
}

export class PersistentClient {
  readonly #options: PersistentClientOptions;
  /** Requests of an interrupted run have names of their own. */
  readonly #session: number;
  #requests = 0;

  constructor(options: PersistentClientOptions) {
    this.#options = options;
    this.#session = options.record.byRef.size;
  }

  /** Resolves when every message has its verdict. Calls `onDecided` when the verdicts of an answer are recorded. */
  async ask({ kind, messages }: Composed, onDecided: (decided: readonly Decided[]) => void): Promise<void> {
    const number = ++this.#requests;
    let unclearBefore = false;
    let left: readonly Asked[] = messages;
    for (let round = 0; left.length > 0; round++) {
      await sleep(pauseMs(round));
      const reply = await this.#post(left, kind === 'bulk');
      if (!isClear(reply)) {
        unclearBefore = true;
        continue;
      }
      const answered = { body: reply.body, request: `${this.#session}.${number}.${round}`, unclearBefore };
      const { again, decided } = this.#decide(left, answered);
      left = again;
      onDecided(decided);
    }
  }

  /** Resolves when the api has answered clearly. */
  async cancel(message: Asked, jobId: string): Promise<void> {
    const { client, record } = this.#options;
    const account = this.#accountOf(message);
    for (let round = 0; ; round++) {
      await sleep(pauseMs(round));
      const reply = await client.post({ account, target: `/api/v1/messages/${jobId}/cancel`, body: '' });
      if (!isClear(reply)) continue;
      if (reply.status === 200) record.cancelled(message.ref, Date.now());
      return;
    }
  }

  #post(messages: readonly Asked[], isBulk: boolean): Promise<Reply> {
    const [first] = messages;
    if (first === undefined) throw new Error('there is nothing to send');
    const account = this.#accountOf(first);
    return this.#options.client.post({
      account,
      target: isBulk ? '/api/v1/messages/bulk' : '/api/v1/messages/send',
      body: JSON.stringify(isBulk ? { messages: messages.map(bodyOf) } : bodyOf(first)),
      deviceId: account.deviceIds[first.device] ?? '',
      loseAnswer: this.#options.random.chance(answerThrownAway),
    });
  }

  #accountOf({ account }: Asked): AttackedAccount {
    const found = this.#options.accounts[account];
    if (found === undefined) throw new Error(`there is no account ${account}`);
    return found;
  }

  /** Records the verdicts of an answer. `again`: the messages that must be asked for again. */
  #decide(messages: readonly Asked[], answered: Answered): { readonly again: Asked[]; readonly decided: Decided[] } {
    const again: Asked[] = [];
    const decided: Decided[] = [];
    for (const [position, message] of messages.entries()) {
      const result = resultAt(answered.body, position);
      if (isPatient(result.code, message)) again.push(message);
      else decided.push({ message, verdict: verdictOf(result, position, answered) });
    }
    this.#options.record.decide(decided.map(({ message, verdict }) => ({ ref: message.ref, verdict })));
    return { again, decided };
  }
}
