/** The socket of one session with everything that hangs on it. */
import type { ProxyFailure } from '@kurir/address-guard';
import type { Acknowledgement, AccountLimits, ConnectOptions } from '@kurir/network';
import type { BinaryNode, SocketConfig, WASocket } from 'baileys';
import { AccountLimitsWatch } from './account-limits.js';
import { openSocket, takeListener } from './baileys-socket.js';
import type { DeviceState } from './device-state.js';
import { createBaileysLog } from './driver-log.js';
import type { DriverSettings } from './driver-settings.js';
import { uploadFirstPreKeys } from './first-pre-keys.js';
import { IncomingStanzas, type Reports } from './incoming-stanzas.js';
import { OutgoingMessages } from './outgoing-messages.js';
import { CACHED_RECIPIENTS, KNOWN_FOR_MS, Recipients } from './recipients.js';
import { createGetMessage } from './retry-texts.js';
import { StoredCache } from './stored-cache.js';
import { TypingSignals } from './typing-signals.js';
import { VouchedContacts } from './vouched-contacts.js';

const LOGIN_SUCCESS = 'CB:success';

export type ConnectionReports = Reports & {
  acknowledged(acknowledgement: Acknowledgement): void;
  limits(limits: AccountLimits): void;
  proxyFailed(failure: ProxyFailure): void;
};

export type Connection = {
  readonly socket: WASocket;
  readonly outgoing: OutgoingMessages;
  readonly recipients: Recipients;
  readonly typing: TypingSignals;
  readonly limits: AccountLimitsWatch;
  /** Answers what waits and reports nothing more. */
  stop(): void;
};

/** Starts connecting. Throws when the proxy address is none. */
export function openConnection(
  settings: DriverSettings,
  device: DeviceState,
  { proxyUrl, readMessage }: Pick<ConnectOptions, 'proxyUrl' | 'readMessage'>,
  reports: ConnectionReports,
): Connection {
  const { auth } = device;
  const known = { device, capacity: CACHED_RECIPIENTS, maxAgeMs: KNOWN_FOR_MS };
  const devices = new StoredCache<unknown>({ ...known, kind: 'recipient-devices' });
  const addresses = new StoredCache<string>({ ...known, kind: 'recipient-address' });
  const getMessage = createGetMessage({
    readMessage,
    findNumber: (lid) => socket.signalRepository.lidMapping.getPNForLID(lid),
    addressOf: (number) => recipients.addressOf(number),
  });
  const socket = openSocket({
    settings,
    auth,
    proxyUrl,
    onProxyFailure: (failure) => reports.proxyFailed(failure),
    // Baileys' cache type promises to know what each caller stores.
    config: { getMessage, userDevicesCache: devices as NonNullable<SocketConfig['userDevicesCache']> },
  });
  uploadPreKeysFirst(socket);
  const recipients = new Recipients(socket, devices, addresses);
  const vouched = new VouchedContacts(socket, auth.keys);
  const limits = new AccountLimitsWatch(socket, (found) => reports.limits(found));
  const outgoing = new OutgoingMessages(socket, recipients, {
    ackTimeoutMs: settings.ackTimeoutMs,
    acknowledged: (acknowledgement) => reports.acknowledged(acknowledgement),
    restrictedUntil: () => limits.restrictedUntil,
    restricted: () => limits.ask(),
    reached: (jid) => void vouched.note(jid),
  });
  const incoming = new IncomingStanzas(socket, createBaileysLog(settings.log), reports);
  const typing = new TypingSignals(socket);
  const parts = [outgoing, incoming, typing];
  return { socket, outgoing, recipients, typing, limits, stop: () => parts.forEach((part) => part.stop()) };
}

function uploadPreKeysFirst(socket: WASocket): void {
  const takeSuccess = takeListener(socket, LOGIN_SUCCESS);
  socket.ws.on(LOGIN_SUCCESS, (stanza: BinaryNode) => {
    uploadFirstPreKeys(socket)
      // Baileys finds that there are too few, and tries it in its own way.
      .catch(() => undefined)
      .then(() => takeSuccess(stanza))
      .catch((error: unknown) => socket.onUnexpectedError(error as Error, 'login'));
  });
}
