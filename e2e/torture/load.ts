/**
 * The client: asks at a steady rate, repeats whatever was not clearly answered under the same `client_ref` until it has
 * a verdict, and cancels some of what it scheduled. It never gives a message up for an answer that it did not get.
 */
import { setTimeout as sleep } from 'node:timers/promises';
import type { Asked, ClientRecord, Verdict } from './client-record.js';
import { bodyOf, type Composed, createComposer, type Fleet } from './compose.js';
import type { Customer } from './customers.js';
import type { BulkResult, Envelope, Gateway, Reply } from './gateway.js';
import type { Random } from './random.js';

export type LoadOptions = {
  readonly random: Random;
  readonly customers: readonly Customer[];
  readonly fleet: Fleet;
  readonly record: ClientRecord;
  readonly gateway: Gateway;
  readonly perSecond: number;
  /** More is waiting in the product than it will send soon: the client holds back, as one that reads its backlog does. */
  readonly isBehind: () => boolean;
};

export type Load = {
  readonly accepted: number;
  readonly open: number;
  /** Seconds for which it has asked. */
  readonly seconds: number;
  /** Asks no more; resolves when every message has its verdict. */
  stop(): Promise<void>;
};

const tickMs = 50;
const requestsAtOnce = 128;
/** After an outage the client catches up on so many seconds at most. */
const owedSeconds = 30;
const answerThrownAway = 0.01;
const cancelled = 0.5;
const pauseMs = [50, 100, 200, 400, 800] as const;
/** A device may be away for that long before the client takes its absence for an answer. */
const deviceAwayMs = 90_000;

const jobOf = (
  jobId: string | undefined,
  code: string | undefined,
  more: { request: string; position: number; unclearBefore: boolean },
): Verdict => {
  const at = Date.now();
  const { request, position, unclearBefore } = more;
  return jobId === undefined
    ? { kind: 'refused', code: code ?? 'none', at, unclearBefore }
    : { kind: 'accepted', jobId, at, request, position };
};

export function startLoad(options: LoadOptions): Load {
  const { record, random, gateway } = options;
  const compose = createComposer(random, options.fleet, record.byRef.size);
  const startedAt = performance.now();
  const running = new Set<Promise<void>>();
  let accepted = 0;
  let open = 0;
  let requests = 0;
  let owed = 0;
  let stopping = false;
  let askedMs = 0;
  let delivering = 0;

  function run(work: Promise<void>): void {
    running.add(work);
    void work.finally(() => running.delete(work));
  }

  function decide(message: Asked, verdict: Verdict): void {
    record.decide([{ ref: message.ref, verdict }]);
    open--;
    if (verdict.kind !== 'accepted') return;
    accepted++;
    if (message.sendAt !== null && random.chance(cancelled)) run(cancel(message, verdict.jobId, message.sendAt));
  }

  function customerOf(message: Asked): Customer {
    const customer = options.customers[message.customer];
    if (customer === undefined) throw new Error('the customer is not there');
    return customer;
  }

  function post(messages: readonly Asked[], isBulk: boolean): Promise<Reply> {
    const [first] = messages;
    if (first === undefined) throw new Error('there is nothing to send');
    const customer = customerOf(first);
    return gateway.post({
      customer,
      target: isBulk ? '/api/v1/messages/bulk' : '/api/v1/messages/send',
      body: JSON.stringify(isBulk ? { messages: messages.map(bodyOf) } : bodyOf(first)),
      deviceId: customer.deviceIds[first.device] ?? '',
      loseAnswer: random.chance(answerThrownAway),
    });
  }

  const isPatient = (code: string | undefined, message: Asked) =>
    code === 'DEVICE_NOT_CONNECTED' && Date.now() - message.askedAt < deviceAwayMs;

  /** Decides what the answer decides; what is left has to be asked for again. */
  function readAnswer(messages: readonly Asked[], body: Envelope, request: string, unclearBefore: boolean): Asked[] {
    const one: BulkResult = { ...body.data, ...(body.code === undefined ? {} : { code: body.code }) };
    return messages.filter((message, position) => {
      const result = body.data?.results === undefined ? one : (body.data.results[position] ?? {});
      if (isPatient(result.code, message)) return true;
      decide(message, jobOf(result.job_id, result.code, { request, position, unclearBefore }));
      return false;
    });
  }

  async function deliver(composed: Composed): Promise<void> {
    const number = ++requests;
    let unclearBefore = false;
    let left: readonly Asked[] = composed.messages;
    delivering++;
    for (let round = 0; left.length > 0; round++) {
      if (round > 0) await sleep(pauseMs[Math.min(round, pauseMs.length) - 1]);
      const reply = await post(left, composed.kind === 'bulk');
      if (reply.kind === 'unclear' || reply.status >= 500 || reply.status === 429) unclearBefore = true;
      else left = readAnswer(left, reply.body, `${startedAt}-${number}.${round}`, unclearBefore);
    }
    delivering--;
  }

  /** Near the moment at which it becomes due, so that the two race. */
  async function cancel(message: Asked, jobId: string, dueAt: number): Promise<void> {
    await sleep(Math.max(0, dueAt + random.whole(-1_500, 200) - Date.now()));
    for (let round = 0; ; round++) {
      const customer = customerOf(message);
      const reply = await gateway.post({ customer, target: `/api/v1/messages/${jobId}/cancel`, body: '' });
      if (reply.kind === 'answered' && reply.status < 500 && reply.status !== 429) {
        if (reply.status === 200) record.cancelled(message.ref, Date.now());
        return;
      }
      await sleep(pauseMs[Math.min(round, pauseMs.length - 1)]);
    }
  }

  function begin(composed: Composed): void {
    record.ask(composed.messages);
    open += composed.messages.length;
    owed -= composed.messages.length;
    run(deliver(composed));
  }

  /** What an interrupted run left without a verdict; one by one, as nobody knows any more how it was asked. */
  function takeUp(): void {
    for (const { asked, verdict } of record.byRef.values()) {
      if (verdict !== null) continue;
      open++;
      run(deliver({ kind: 'single', messages: [asked] }));
    }
  }

  const hasRoom = () => delivering < requestsAtOnce;

  let lastTick = performance.now();
  function tick(): void {
    const now = performance.now();
    const passed = now - lastTick;
    lastTick = now;
    askedMs += passed;
    if (options.isBehind()) return;
    owed = Math.min(owed + (passed / 1_000) * options.perSecond, owedSeconds * options.perSecond);
    for (; owed >= 1 && hasRoom(); begin(compose(Date.now())));
  }

  takeUp();
  const timer = setInterval(tick, tickMs);
  return {
    get accepted() {
      return accepted;
    },
    get open() {
      return open;
    },
    get seconds() {
      return askedMs / 1_000;
    },
    async stop() {
      if (!stopping) clearInterval(timer);
      stopping = true;
      while (running.size > 0) await Promise.all(running);
    },
  };
}
