/**
 * People who write to the devices at a steady rate. Each message has an id, so one that the network did not confirm is
 * written again under the same id. The network also repeats some messages by itself.
 */
import { setTimeout as sleep } from 'node:timers/promises';
import { numberOfDevice, writersOf } from '../plan/device-plan.js';
import type { Random } from '../plan/random.js';

export type PeopleOptions = {
  readonly simulatorUrl: string;
  readonly devices: number;
  readonly random: Random;
  readonly perSecond: number;
};

export type People = {
  /** Many write at once. Resolves when the first message has reached the network, so the others are on their way. */
  crowd(): Promise<void>;
  /** Resolves when each message has reached the network. */
  stop(): Promise<void>;
};

type Letter = { readonly from: string; readonly body: object };

const tickMs = 50;
const crowdSize = 40;
const pauseMs = 100;
/** The share of messages that the network repeats under their ids. */
const repeated = 0.1;
const remembered = 30;
const shownBy = ['number', 'id', 'both'] as const;

/** Returns false if it is unknown whether the network has the message. */
async function hasReached(simulatorUrl: string, { from, body }: Letter): Promise<boolean> {
  try {
    const answer = await fetch(`${simulatorUrl}/phones/${from}/messages`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(body),
    });
    const text = await answer.text();
    if (answer.status >= 400) throw new RangeError(`the network refused a message of a person: ${text}`);
    return true;
  } catch (error) {
    if (error instanceof RangeError) throw error;
    return false; // the connection ended; the message may have reached the network
  }
}

export function startPeople({ simulatorUrl, devices, random, perSecond }: PeopleOptions): People {
  /** An interrupted run has used other ids. */
  const life = Date.now().toString(36);
  const recent: Letter[] = [];
  const onTheirWay = new Set<Promise<void>>();
  const ended = new AbortController();
  let written = 0;
  let owed = 0;
  let lastTick = performance.now();

  function compose(): Letter {
    if (recent.length > 0 && random.chance(repeated)) return random.pick(recent);
    const device = random.whole(0, devices - 1);
    const id = `PEOPLE-${life}-${++written}`;
    const body = {
      to: numberOfDevice(device),
      text: textOfLetter(id),
      network_message_id: id,
      shown_by: random.pick(shownBy),
    };
    const letter = { from: random.pick(writersOf(device)), body };
    recent.push(letter);
    if (recent.length > remembered) recent.shift();
    return letter;
  }

  function write(): Promise<void> {
    const letter = compose();
    const sending: Promise<void> = (async () => {
      while (!(await hasReached(simulatorUrl, letter))) await sleep(pauseMs);
    })().finally(() => onTheirWay.delete(sending));
    sending.catch((error: unknown) => ended.abort(error));
    onTheirWay.add(sending);
    return sending;
  }

  const timer = setInterval(() => {
    const now = performance.now();
    owed = Math.min(owed + ((now - lastTick) / 1_000) * perSecond, perSecond);
    lastTick = now;
    for (; owed >= 1; owed--) void write();
  }, tickMs);

  return {
    async crowd() {
      ended.signal.throwIfAborted();
      await Promise.race(Array.from({ length: crowdSize }, write));
    },
    async stop() {
      clearInterval(timer);
      await Promise.all(onTheirWay);
      ended.signal.throwIfAborted();
    },
  };
}

export const textOfLetter = (id: string) => `Apakah pesanan ${id} sudah dikirim?`;
