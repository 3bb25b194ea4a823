/** The socket of one session, and the parts that use it. */
import type { ProxyFailure } from '@kurir/address-guard';
import type { AccountLimits, Acknowledgement, ConnectOptions, Identified } from '@kurir/network';
import type { BinaryNode, WASocket } from 'baileys';
import { AppStateReader } from './history/app-state-reader.js';
import { createDownload } from './history/file-download.js';
import { HistoryReader } from './history/history-reader.js';
import { AccountFacts } from './people/account-facts.js';
import { ContactTokens } from './people/contact-tokens.js';
import { ACCOUNT_DEVICES_KIND, DeviceLists } from './people/device-lists.js';
import { DeviceSessions } from './people/device-sessions.js';
import { Lookups } from './people/lookups.js';
import { PERSON_KIND, People } from './people/people.js';
import { StoredCache } from './people/stored-cache.js';
import { AccountLimitsWatch } from './receiving/account-limits.js';
import { IncomingStanzas, type Reports } from './receiving/incoming-stanzas.js';
import { Senders } from './receiving/senders.js';
import { Composer } from './sending/composer.js';
import { OutgoingMessages } from './sending/outgoing-messages.js';
import { Resends } from './sending/resends.js';
import { TypingSignals } from './sending/typing-signals.js';
import { openSocket, ownAddressesOf, takeListener } from './socket/baileys-socket.js';
import { createBaileysLog, type DriverLog } from './socket/driver-log.js';
import type { DriverSettings } from './socket/driver-settings.js';
import type { DeviceState } from './store/device-state.js';
import { uploadFirstPreKeys } from './store/first-pre-keys.js';
import { lockKeysTogether } from './store/one-transaction.js';

const LOGIN_SUCCESS = 'CB:success';

/** WhatsApp Web trusts an answer for as long. The network announces changes. */
const KNOWN_FOR_MS = 24 * 3_600_000;
const CACHED_PEOPLE = 1_000;

export type ConnectionReports = Reports & {
  acknowledged(acknowledgement: Acknowledgement): void;
  limits(limits: AccountLimits): void;
  identified(identified: Identified): Promise<unknown>;
  proxyFailed(failure: ProxyFailure): void;
};

export type Connection = {
  readonly socket: WASocket;
  readonly outgoing: OutgoingMessages;
  readonly typing: TypingSignals;
  readonly limits: AccountLimitsWatch;
  readonly people: People;
  /** Resolves the sends that wait. Nothing is reported after that. */
  stop(): void;
};

/** Starts connecting. Throws when `proxyUrl` is not the address of a proxy. */
export function openConnection(
  settings: DriverSettings,
  device: DeviceState,
  { proxyUrl, readMessage, reportsGroups = () => false }: ConnectOptions,
  reports: ConnectionReports,
): Connection {
  const socket = openSocket({
    settings,
    auth: device.auth,
    proxyUrl,
    onProxyFailure: (failure) => reports.proxyFailed(failure),
    readsGroups: reportsGroups,
  });
  lockKeysTogether(socket);
  uploadPreKeysFirst(socket);
  const known = knowledgeOf(socket, device, settings.log);
  const { people, tokens } = known;
  const limits = new AccountLimitsWatch(socket, (found) => reports.limits(found));
  const outgoing = new OutgoingMessages(
    socket,
    { people, tokens, composer: new Composer(socket, { ...known, log: settings.log }) },
    {
      ackTimeoutMs: settings.ackTimeoutMs,
      acknowledged: (acknowledgement) => reports.acknowledged(acknowledgement),
      restriction: () => limits.restriction,
      askLimits: () => limits.ask(),
    },
  );
  const resends = new Resends(socket, { ...known, readMessage });
  const listening = listen(socket, { settings, device, known, proxyUrl, resends, reports, reportsGroups });
  const typing = new TypingSignals(socket, people);
  const parts = [outgoing, typing, ...listening];
  return { socket, outgoing, typing, limits, people, stop: () => parts.forEach((part) => part.stop()) };
}

type Knowledge = {
  readonly facts: AccountFacts;
  readonly people: People;
  readonly devices: DeviceLists;
  readonly sessions: DeviceSessions;
  readonly tokens: ContactTokens;
};

/** The stores of facts about this account and about the people to whom it writes. */
function knowledgeOf(socket: WASocket, device: DeviceState, log: DriverLog): Knowledge {
  const store = { device, capacity: CACHED_PEOPLE, maxAgeMs: KNOWN_FOR_MS };
  const facts = new AccountFacts(device);
  const lookups = new Lookups(socket);
  const people = new People(socket, {
    lookups,
    facts,
    log,
    known: new StoredCache({ ...store, kind: PERSON_KIND }),
    writtenNumbers: new StoredCache({ ...store, kind: 'written-number' }),
  });
  const devices = new DeviceLists(socket, lookups, new StoredCache({ ...store, kind: ACCOUNT_DEVICES_KIND }));
  const tokens = new ContactTokens(socket, device.auth.keys, facts);
  return { facts, people, devices, sessions: new DeviceSessions(socket), tokens };
}

type Listening = {
  readonly settings: DriverSettings;
  readonly device: DeviceState;
  readonly known: Knowledge;
  readonly proxyUrl: string | undefined;
  readonly resends: Resends;
  readonly reports: ConnectionReports;
  reportsGroups(): boolean;
};

/** The parts that handle stanzas that the network sends unasked. */
function listen(socket: WASocket, parts: Listening) {
  const { settings, device, known, proxyUrl, resends, reports } = parts;
  const { facts, tokens } = known;
  const files = { log: settings.log, download: createDownload(settings, proxyUrl) };
  const history = new HistoryReader(socket, { facts, tokens, ...files });
  const appState = new AppStateReader(socket, { facts, keys: device.auth.keys, ...files });
  const incoming = new IncomingStanzas(socket, {
    reports,
    tokens,
    resends,
    fromPhone: (message) => history.take(message),
    senders: sendersOf(socket, parts),
    readsGroups: () => parts.reportsGroups(),
    baileysLog: createBaileysLog(settings.log),
    log: settings.log,
    handlerTimeoutMs: settings.handlerTimeoutMs,
  });
  return [incoming, history, appState] as const;
}

function sendersOf(socket: WASocket, { device, known, reports, settings }: Listening): Senders {
  const { lidMapping } = socket.signalRepository;
  const senders = new Senders({
    findNumber: (lid) => lidMapping.getPNForLID(lid),
    findLid: (pn) => known.people.storedLid(pn),
    writtenNumber: (digits) => known.people.writtenNumber(digits),
    hidden: new StoredCache({ device, kind: 'hidden-person', capacity: CACHED_PEOPLE, maxAgeMs: KNOWN_FOR_MS }),
    identified: (identified) => reports.identified(identified),
    me: () => ownAddressesOf(socket),
    log: settings.log,
  });
  const store = lidMapping.storeLIDPNMappings.bind(lidMapping);
  // Baileys and this driver learn numbers in many places. All of them store what they learned here.
  lidMapping.storeLIDPNMappings = async (pairs) => {
    await store(pairs);
    void senders.learned(pairs);
  };
  return senders;
}

function uploadPreKeysFirst(socket: WASocket): void {
  const takeSuccess = takeListener(socket, LOGIN_SUCCESS);
  socket.ws.on(LOGIN_SUCCESS, (stanza: BinaryNode) => {
    uploadFirstPreKeys(socket)
      // Baileys then notices that the server has too few, and uploads some itself.
      .catch(() => undefined)
      .then(() => takeSuccess(stanza))
      .catch((error: unknown) => socket.onUnexpectedError(error as Error, 'login'));
  });
}
