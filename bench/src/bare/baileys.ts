/**
 * The bare side of `whatsapp`: plain Baileys on the same relay, without database, queue or states. It keeps its keys in
 * memory. Each device sends its next message after the acknowledgement of the last one.
 * Its device cache works. Baileys' own cache stores nothing, because its `mset` gets another shape than node-cache
 * expects; without a cache Baileys would query the network for every message.
 */
import {
  type AuthenticationState,
  type BinaryNode,
  Browsers,
  generateMessageIDV2,
  initAuthCreds,
  makeWASocket,
  type SignalDataTypeMap,
  type SocketConfig,
  WA_CERT_DETAILS,
  type WASocket,
} from 'baileys';
import { phoneOf } from '../gateway/link-devices.js';
import { answerRequests } from '../processes/answer-requests.js';

export type BareRequest =
  | { readonly kind: 'link'; readonly devices: number }
  | { readonly kind: 'send'; readonly perDevice: number; readonly recipients: readonly string[] };
export type BareSent = { readonly elapsedMs: number };

const { RELAY_URL = '', RELAY_PHONES = '', RELAY_ROOT_KEY = '' } = process.env;
/** The first phone number that no device of our side has. */
const firstPhone = 100_000;
const text = 'Kode verifikasi Anda 493021. Berlaku 5 menit. Jangan berikan kode ini kepada siapa pun.';

WA_CERT_DETAILS.PUBLIC_KEY = Buffer.from(RELAY_ROOT_KEY, 'base64');
// libsignal prints whole sessions with `console.info`.
console.info = () => undefined;
console.warn = () => undefined;

const quiet = () => undefined;
const logger = {
  level: 'silent',
  child: () => logger,
  trace: quiet,
  debug: quiet,
  info: quiet,
  warn: quiet,
  error: quiet,
};

function memoryAuth(): AuthenticationState {
  const rows = new Map<string, unknown>();
  return {
    creds: initAuthCreds(),
    keys: {
      async get(kind, ids) {
        const found: { [id: string]: SignalDataTypeMap[typeof kind] } = {};
        for (const id of ids) {
          // A value is stored and read under the same kind.
          const row = rows.get(`${kind}/${id}`) as SignalDataTypeMap[typeof kind] | undefined;
          if (row !== undefined) found[id] = row;
        }
        return found;
      },
      async set(data) {
        for (const [kind, values] of Object.entries(data))
          for (const [id, value] of Object.entries(values ?? {})) rows.set(`${kind}/${id}`, value);
      },
    },
  };
}

function mapCache(): NonNullable<SocketConfig['userDevicesCache']> {
  const entries = new Map<string, unknown>();
  const cache = {
    get: (key: string) => entries.get(key),
    set: (key: string, value: unknown) => void entries.set(key, value),
    del: (key: string) => void entries.delete(key),
    flushAll: () => entries.clear(),
  };
  // Baileys types each cache by the value that its caller stores.
  return cache as NonNullable<SocketConfig['userDevicesCache']>;
}

function openSocket(auth: AuthenticationState): WASocket {
  return makeWASocket({
    auth,
    logger,
    waWebSocketUrl: RELAY_URL,
    browser: Browsers.windows('Chrome'),
    markOnlineOnConnect: false,
    syncFullHistory: false,
    emitOwnEvents: false,
    shouldSyncHistoryMessage: () => false,
    userDevicesCache: mapCache(),
  });
}

const state = (socket: WASocket, wanted: 'open' | 'close') =>
  new Promise<void>((resolve) => {
    socket.ev.on('connection.update', ({ connection }) => {
      if (connection === wanted) resolve();
    });
  });

async function askPhone(phone: string, verb: string, body: object): Promise<void> {
  const answer = await fetch(`${RELAY_PHONES}/phones/${phone}/${verb}`, { method: 'POST', body: JSON.stringify(body) });
  if (!answer.ok) throw new Error(`${verb}: ${answer.status} ${await answer.text()}`);
}

async function link(phone: string): Promise<WASocket> {
  const auth = memoryAuth();
  const linking = openSocket(auth);
  linking.ev.on('creds.update', (update) => void Object.assign(auth.creds, update));
  const closed = state(linking, 'close');
  const code = await new Promise<string>((resolve) => {
    linking.ev.on('connection.update', ({ qr }) => {
      if (qr !== undefined) resolve(qr);
    });
  });
  // Plain Baileys addresses people by number. The network accepts that from such accounts only.
  await askPhone(phone, 'migrated', { migrated: false });
  await askPhone(phone, 'scan', { code });
  await closed;
  const socket = openSocket(auth);
  socket.ev.on('creds.update', (update) => void Object.assign(auth.creds, update));
  await state(socket, 'open');
  return socket;
}

type Sender = { readonly send: (recipient: string) => Promise<void> };

/** Sends one message at a time and waits only for its acknowledgement. */
function createSender(socket: WASocket): Sender {
  let acknowledged = (_id: string, _error: string | undefined): void => undefined;
  socket.ws.on('CB:ack,class:message', ({ attrs }: BinaryNode) => acknowledged(attrs['id'] ?? '', attrs['error']));
  return {
    async send(recipient) {
      const messageId = generateMessageIDV2(socket.user?.id);
      const done = new Promise<void>((resolve, reject) => {
        acknowledged = (id, error) => {
          if (id !== messageId) return;
          if (error === undefined) resolve();
          else reject(new Error(`the network refused a message: ${error}`));
        };
      });
      await socket.sendMessage(`${recipient}@s.whatsapp.net`, { text, linkPreview: null }, { messageId });
      await done;
    },
  };
}

let senders: readonly Sender[] = [];

async function linkAll(devices: number): Promise<object> {
  const linked: Sender[] = [];
  for (let n = 0; n < devices; n += 1) linked.push(createSender(await link(phoneOf(firstPhone + n))));
  senders = linked;
  return { linked: linked.length };
}

answerRequests(async (request: BareRequest): Promise<object> => {
  if (request.kind === 'link') return linkAll(request.devices);
  const { perDevice, recipients } = request;
  const startedAt = performance.now();
  await Promise.all(
    senders.map(async ({ send }, place) => {
      for (let n = 0; n < perDevice; n += 1) await send(recipients[(n + place) % recipients.length] ?? '');
    }),
  );
  return { elapsedMs: performance.now() - startedAt } satisfies BareSent;
});
process.once('SIGTERM', () => process.exit());
