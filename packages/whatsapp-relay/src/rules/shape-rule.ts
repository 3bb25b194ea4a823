/**
 * The shape of a direct message. The server refuses a stanza that does not fit its schema with 479, "smax-invalid".
 * Examples are an `<enc>` next to `<participants>` (Baileys #2781), and a `pkmsg` without the identity of its sender
 * (whatsmeow `send.go`, `encryptMessageForDevices`).
 * A resend to one companion has a single `<enc>` with the number of the try (whatsmeow `retry.go`). A message to the
 * own phone has no token (Baileys 7.0.0-rc14, `messages-send.js`).
 */
import { parseJid } from '../wire/jid.js';
import { child, children, type Stanza } from '../wire/stanza.js';

const tokens = ['tctoken', 'cstoken'] as const;

export function isWellFormed(message: Stanza): boolean {
  const { id, type, to } = message.attrs;
  if (!id || !type || !to) return false;
  const participants = child(message, 'participants');
  const bare = children(message, 'enc');
  const sealed = participants ? copiesOf(participants) : bare;
  if (participants ? bare.length > 0 : bare.length !== 1) return false;
  if (sealed === null || sealed.length === 0) return false;
  if (isForOneCompanion(message) && !isResend(bare[0], message)) return false;
  if (message.attrs['category'] === 'peer' && tokens.some((tag) => child(message, tag))) return false;
  return introducesSender(message, sealed);
}

/** The `<enc>` of each participant. Returns null if one has none or several, or if a device appears twice. */
function copiesOf(participants: Stanza): readonly Stanza[] | null {
  const named = children(participants, 'to');
  const devices = new Set(named.map(({ attrs }) => attrs['jid']));
  if (devices.size !== named.length || devices.has(undefined)) return null;
  const sealed = named.map((to) => children(to, 'enc'));
  return sealed.every(({ length }) => length === 1) ? sealed.flat() : null;
}

function isForOneCompanion({ attrs }: Stanza): boolean {
  return (parseJid(attrs['to'])?.device ?? 0) > 0;
}

function isResend(sealed: Stanza | undefined, { attrs }: Stanza): boolean {
  return attrs['category'] === 'peer' || Number(sealed?.attrs['count']) > 0;
}

function introducesSender(message: Stanza, sealed: readonly Stanza[]): boolean {
  const opens = sealed.some(({ attrs }) => attrs['type'] === 'pkmsg');
  return !opens || child(message, 'device-identity') !== undefined;
}
