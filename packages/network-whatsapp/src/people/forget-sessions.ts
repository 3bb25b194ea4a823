/**
 * What a restored backup needs: its ratchets stand where others' do not stand any more, and it would give the ids of its
 * next pre-keys a second time. Forgotten is what is made anew with the next message. The login, privacy tokens and LIDs
 * stay, and so do the pre-keys: the network still hands out those that the backup knows.
 *
 * The rows go first and the login last, so that dying in between leaves nothing but a second time.
 */
import type { ErasableCredentials } from '@kurir/network';
import type { AuthenticationCreds } from 'baileys';
import { ACCOUNT_DEVICES_KIND } from './device-lists.js';
import { DamagedRow, decodeLogin, type KeyKind, LOGIN_ID, LOGIN_KIND, loginRow } from '../store/device-rows.js';

/** Baileys' kinds; an identity key is taken again from the next bundle. */
const SIGNAL_KINDS = [
  'session',
  'sender-key',
  'sender-key-memory',
  'device-list',
  'identity-key',
] as const satisfies readonly KeyKind[];

/** Our own: which devices an account has; the last two are of earlier versions. Where messages went stays known. */
const LOOKED_UP_KINDS = [ACCOUNT_DEVICES_KIND, 'recipient-devices', 'recipient-address'];

/** More pre-keys than a device uploads between a backup and its restoring. */
const PRE_KEY_STEP = 100_000;
/** An id has three bytes on the wire (Baileys' `xmppPreKey`). */
const LAST_PRE_KEY_ID = 0xff_ff_ff;

export async function forgetSessions(credentials: ErasableCredentials): Promise<void> {
  const login = await readLogin(credentials);
  if (login === null) return;
  await credentials.eraseKinds([...SIGNAL_KINDS, ...LOOKED_UP_KINDS]);
  // Baileys then misses the pre-key before this one, and uploads new ones at the next login.
  const nextPreKeyId = raised(login.nextPreKeyId);
  await credentials.write([loginRow({ ...login, nextPreKeyId, firstUnuploadedPreKeyId: nextPreKeyId })]);
}

/** Null when there is none, or a damaged one, of which the next session says what follows. */
async function readLogin(credentials: ErasableCredentials): Promise<AuthenticationCreds | null> {
  const row = (await credentials.read(LOGIN_KIND, [LOGIN_ID])).get(LOGIN_ID);
  try {
    return row === undefined ? null : decodeLogin(row);
  } catch (error) {
    if (error instanceof DamagedRow) return null;
    throw error;
  }
}

/** Begins anew when the ids run out: those were the first ones. */
function raised(id: number): number {
  const next = id + PRE_KEY_STEP;
  return next + PRE_KEY_STEP > LAST_PRE_KEY_ID ? PRE_KEY_STEP : next;
}
