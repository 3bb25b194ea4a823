/**
 * The client: asks at a steady rate, repeats whatever was not clearly answered under the same `client_ref` until it has
 * a verdict, and cancels some of what it scheduled. It never gives a message up for an answer that it did not get.
 */
import { setTimeout as sleep } from 'node:timers/promises';
import type { Asked, ClientRecord, Verdict } from '../records/client-record.js';
import { bodyOf, type Composed, createComposer } from './compose.js';
import type { AttackedAccount } from '../processes/attacked-accounts.js';
import type { DevicePlan } from '../plan/device-plan.js';
import type { BulkResult, Envelope, GatewayClient, Reply } from './gateway-client.js';
import type { Random } from '../plan/random.js';

export type LoadOptions = {
  readonly random: Random;
  readonly accounts: readonly AttackedAccount[];
  readonly devicePlan: DevicePlan;
  readonly record: ClientRecord;
  readonly client: GatewayClient;
  readonly perSecond: number;
  /** More is waiting in the product than it will send soon: the client holds back, as one that reads its backlog does. */
  readonly isBehind: () => boolean;
};

const tickMs = 50;
const requestsAtOnce = 128;
/** After an outage the client catches up on so many seconds at most. */
const owedSeconds = 30;
const answerThrownAway = 0.01;
const cancelled = 0.5;
const pausesMs = [50, 100, 200, 400, 800] as const;
/** A device may be away for that long before the client takes its absence for an answer. */
const deviceAwayMs = 90_000;

const pauseMs = (round: number) => pausesMs[Math.min(round, pausesMs.length) - 1] ?? 0;

/** The api could not say what became of the request. */
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

export class Load {
  readonly #options: LoadOptions;
  readonly #compose: (now: number) => Composed;
  readonly #timer: NodeJS.Timeout;
  readonly #running = new Set<Promise<void>>();
  /** Requests of an interrupted run have names of their own. */
  readonly #session: number;
  #delivering = 0;
  #requests = 0;
  #accepted = 0;
  #open = 0;
  #owed = 0;
  #askedMs = 0;
  #lastTick = performance.now();

  constructor(options: LoadOptions) {
    this.#options = options;
    this.#session = options.record.byRef.size;
    this.#compose = createComposer(options.random, options.devicePlan, this.#session);
    this.#takeUp();
    this.#timer = setInterval(() => this.#tick(), tickMs);
  }

  get accepted(): number {
    return this.#accepted;
  }

  /** Messages without a verdict. */
  get open(): number {
    return this.#open;
  }

  /** Seconds for which it has asked. */
  get seconds(): number {
    return this.#askedMs / 1_000;
  }

  /** Asks for nothing more; resolves when every message has its verdict. */
  async stop(): Promise<void> {
    clearInterval(this.#timer);
    while (this.#running.size > 0) await Promise.all(this.#running);
  }

  #tick(): void {
    const now = performance.now();
    const passedMs = now - this.#lastTick;
    this.#lastTick = now;
    this.#askedMs += passedMs;
    if (this.#options.isBehind()) return;
    const { perSecond } = this.#options;
    this.#owed = Math.min(this.#owed + (passedMs / 1_000) * perSecond, owedSeconds * perSecond);
    while (this.#owed >= 1 && this.#delivering < requestsAtOnce) this.#begin(this.#compose(Date.now()));
  }

  #begin(composed: Composed): void {
    this.#options.record.ask(composed.messages);
    this.#owed -= composed.messages.length;
    this.#open += composed.messages.length;
    this.#run(this.#deliver(composed));
  }

  /** What an interrupted run left without a verdict; one by one, as nobody knows any more how it was asked. */
  #takeUp(): void {
    for (const { asked, verdict } of this.#options.record.byRef.values()) {
      if (verdict !== null) continue;
      this.#open++;
      this.#run(this.#deliver({ kind: 'single', messages: [asked] }));
    }
  }

  #run(work: Promise<void>): void {
    this.#running.add(work);
    void work.finally(() => this.#running.delete(work));
  }

  async #deliver({ kind, messages }: Composed): Promise<void> {
    const number = ++this.#requests;
    this.#delivering++;
    let unclearBefore = false;
    let left: readonly Asked[] = messages;
    for (let round = 0; left.length > 0; round++) {
      await sleep(pauseMs(round));
      const reply = await this.#post(left, kind === 'bulk');
      if (!isClear(reply)) unclearBefore = true;
      else
        left = this.#decide(left, { body: reply.body, request: `${this.#session}.${number}.${round}`, unclearBefore });
    }
    this.#delivering--;
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

  /** Notes what the answer decides; answers what has to be asked for again. */
  #decide(messages: readonly Asked[], answered: Answered): Asked[] {
    const again: Asked[] = [];
    const verdicts: { message: Asked; ref: string; verdict: Verdict }[] = [];
    for (const [position, message] of messages.entries()) {
      const result = resultAt(answered.body, position);
      if (isPatient(result.code, message)) again.push(message);
      else verdicts.push({ message, ref: message.ref, verdict: verdictOf(result, position, answered) });
    }
    this.#options.record.decide(verdicts);
    this.#open -= verdicts.length;
    for (const { message, verdict } of verdicts) if (verdict.kind === 'accepted') this.#noteAccepted(message, verdict);
    return again;
  }

  #noteAccepted(message: Asked, { jobId }: { readonly jobId: string }): void {
    this.#accepted++;
    if (message.sendAt !== null && this.#options.random.chance(cancelled))
      this.#run(this.#cancel(message, jobId, message.sendAt));
  }

  /** Near the moment at which it becomes due, so that the two race. */
  async #cancel(message: Asked, jobId: string, dueAt: number): Promise<void> {
    const { client, random, record } = this.#options;
    await sleep(Math.max(0, dueAt + random.whole(-1_500, 200) - Date.now()));
    const account = this.#accountOf(message);
    for (let round = 0; ; round++) {
      await sleep(pauseMs(round));
      const reply = await client.post({ account, target: `/api/v1/messages/${jobId}/cancel`, body: '' });
      if (!isClear(reply)) continue;
      if (reply.status === 200) record.cancelled(message.ref, Date.now());
      return;
    }
  }
}
