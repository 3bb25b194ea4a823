/**
 * WhatsApp for the conformance suite: the relay, and people. Each person's phone has a linked zapo-js client, which
 * reads for the person. Only what the driver links counts as a device.
 */
import type { ConnectOptions, Driver, LinkEnd, LinkOptions, OutgoingMessage, Session } from '@kurir/network';
import {
  type ConformanceFault,
  type ConformanceLetters,
  type ConformanceNetwork,
  type DriverHarness,
  type StartOptions,
  waitUntil,
} from '@kurir/network/conformance';
import { createRecipient, createRelay, type LinkedDevice, type Recipient, type Relay } from '@kurir/whatsapp-relay';
import { createWhatsappDriver } from '../src/whatsapp-driver.js';

/** Enough for the case that needs the most: one sender and four recipients. */
const PEOPLE = 5;
const FIRST_NUMBER = 6281100000001;

type Linking = { readonly end: Promise<LinkEnd>; readonly deviceId: string };
type Linked = { readonly number: string; readonly id: number };

const quiet = { debug: () => undefined, warn: () => undefined };

export const whatsappHarness: DriverHarness = {
  start,
  hasLetters: true,
  cannotPlay: {
    'refuse-for-now': "WhatsApp's refusals say no time",
    ban: 'WhatsApp says a ban at the next login, which the table of ways to close tests',
    'temporary-ban': 'WhatsApp says a ban at the next login, which the table of ways to close tests',
  },
};

async function start({ ackTimeoutMs, codeLifetimeMs, codeRounds }: StartOptions): Promise<ConformanceNetwork> {
  const relay = await createRelay({ qrCodes: codeRounds });
  const people = await createPeople(relay);
  const fresh = [...people.keys()];
  const linkings = new Map<string, Linking>();
  const linked = new Map<string, Linked>();
  const driver = createWhatsappDriver({
    webSocketUrl: relay.url,
    noiseRootKey: relay.rootPublicKey,
    ackTimeoutMs,
    queryTimeoutMs: 30_000,
    qrLifetimeMs: codeLifetimeMs,
    log: quiet,
  });
  const person = (number: string): Recipient => {
    const found = people.get(number);
    if (!found) throw new Error(`nobody has the number ${number}`);
    return found;
  };
  const link = async (number: string, code: string, linking: Promise<LinkedDevice>): Promise<void> => {
    const attempt = linkings.get(code);
    const recorded = linking.then(({ id }) => {
      if (attempt) linked.set(attempt.deviceId, { number, id });
    });
    // The phone has done its part when it has scanned. If the companion then fails or was cancelled, the attempt
    // reports it.
    const over = attempt?.end.then(({ kind }) => (kind === 'failed' || kind === 'cancelled' ? undefined : recorded));
    await Promise.race([recorded, over ?? recorded]);
  };
  let stopping: Promise<void> | null = null;
  return {
    name: 'whatsapp',
    driver: watchSends(watchLinking(driver, linkings), person),
    freshNumber: () => fresh.pop() ?? '',
    numberNotOnNetwork: '628199999999',
    scan: (number, code) => link(number, code, person(number).phone.scan(code)),
    enterPairingCode: (number, code) => link(number, code, person(number).phone.pair(code)),
    inbox: async (number) => {
      await readEverything(person(number));
      return person(number).inbox.map(({ id: networkMessageId, from, text }) => ({ networkMessageId, from, text }));
    },
    typing: async (number) =>
      person(number).chatStates.map(({ from, state }) => ({ from, action: state === 'composing' ? 'start' : 'stop' })),
    readMarks: async (number) =>
      person(number)
        .receipts.filter(({ type }) => type === 'read')
        .map(({ id }) => id),
    linkedDevices: async (number) =>
      person(number)
        .phone.devices()
        .slice(1)
        .map(({ name }) => name),
    write: async (number, to, text) => void (await person(number).send(to, text)),
    letters: lettersOf(person),
    inject: async (deviceId, fault) => inject(relay, person, linked.get(deviceId), fault),
    stop: () => (stopping ??= stop(relay, people)),
  };
}

function lettersOf(person: (number: string) => Recipient): ConformanceLetters {
  return {
    write: async (number, to, letter) => {
      const { phone } = person(number);
      switch (letter.kind) {
        case 'answer': {
          const replyTo = { id: letter.of, text: letter.quote };
          return phone.write(to, { kind: 'text', text: letter.text, replyTo });
        }
        case 'image':
          return phone.write(to, { kind: 'file', type: 'image', caption: letter.caption });
        case 'reaction':
          return phone.write(to, { ...letter, emoji: letter.emoji ?? '' });
        case 'unreadable':
          return phone.write(to, { kind: 'text', text: letter.text }, { unreadable: true });
        case 'edit':
        case 'deletion':
          return phone.write(to, letter);
      }
    },
    writeElsewhere: (number, to, text) => person(number).phone.writeElsewhere(to, { kind: 'text', text }),
    hideNumber: (number) => person(number).phone.hideNumber(true),
  };
}

async function createPeople(relay: Relay): Promise<ReadonlyMap<string, Recipient>> {
  const numbers = Array.from({ length: PEOPLE }, (_, i) => String(FIRST_NUMBER + i));
  const people = await Promise.all(numbers.map((number) => createRecipient(relay, number)));
  return new Map(people.map((person) => [person.number, person]));
}

async function stop(relay: Relay, people: ReadonlyMap<string, Recipient>): Promise<void> {
  await Promise.all([...people.values()].map((person) => person.close()));
  await relay.close();
}

/** Waits until the person's client has handled all that the relay had for it. */
function readEverything({ phone }: Recipient): Promise<void> {
  return waitUntil(`${phone.number} has read everything`, () => phone.devices()[0]?.backlog === 0);
}

/** The relay does not know our device ids. The scanned code tells which attempt it belongs to. */
function watchLinking(driver: Driver, linkings: Map<string, Linking>): Driver {
  const link = (options: LinkOptions) => {
    const code = (text: string, validUntil: Date): void => {
      linkings.set(text, { end: attempt.end, deviceId: options.deviceId });
      options.code(text, validUntil);
    };
    const attempt = driver.link({ ...options, code });
    return attempt;
  };
  return { ...driver, link };
}

/** Makes each recipient read its messages. */
function watchSends(driver: Driver, person: (number: string) => Recipient): Driver {
  const read = async ({ networkMessageId: id, recipient }: OutgoingMessage): Promise<void> => {
    await person(recipient).received(id);
    await person(recipient).read(id);
  };
  const connect = (options: ConnectOptions): Session => {
    const session = driver.connect(options);
    return {
      send: async (message) => {
        const outcome = await session.send(message);
        // Reading fails if the network is stopped during it.
        if (outcome.kind === 'sent') read(message).catch(() => undefined);
        return outcome;
      },
      typing: (recipient, action) => session.typing(recipient, action),
      markRead: async (chat, messages) => session.markRead?.(chat, messages),
      logout: () => session.logout(),
      close: () => session.close(),
    };
  };
  return { ...driver, connect };
}

function inject(
  relay: Relay,
  person: (number: string) => Recipient,
  device: Linked | undefined,
  fault: ConformanceFault,
): void {
  if (!device) throw new Error('this device is not linked');
  const { number, id } = device;
  switch (fault.kind) {
    case 'reset-before-take':
      return void relay.faults.messages({ kind: 'reset-before-delivery' }, { from: number });
    case 'reset-after-take':
      return void relay.faults.messages({ kind: 'reset-mid-acknowledgement' }, { from: number });
    case 'late-acknowledgement':
      return void relay.faults.messages({ kind: 'delay-acknowledgement', delayMs: fault.delayMs }, { from: number });
    case 'refuse-for-good':
      return void relay.faults.messages({ kind: 'refuse', error: 403 }, { from: number });
    case 'logout':
      return person(number).phone.unlink(id);
    case 'restart':
      return person(number).phone.endStream(id, 'restart-required');
    case 'refuse-for-now':
    case 'ban':
    case 'temporary-ban':
      throw new Error(`the relay cannot play ${fault.kind}`);
  }
}
