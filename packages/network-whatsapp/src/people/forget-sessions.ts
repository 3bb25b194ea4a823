/**
 * Forgets the sessions of a restored backup. Its ratchets are behind those of its contacts, and it would use the ids of
 * its next pre-keys a second time. Erases all that the next message makes again. The login, privacy tokens and LIDs
 * stay. So do the pre-keys, because the network still gives out the ones that the backup knows.
 *
 * The rows go first and the login last. If it stops between the two, it only has to run again.
 */
import type { ErasableCredentials } from '@kurir/network';
import type { AuthenticationCreds } from 'baileys';
import { DamagedRow, decodeLogin, type KeyKind, LOGIN_ID, LOGIN_KIND, loginRow } from '../store/device-rows.js';
import { ACCOUNT_DEVICES_KIND } from './device-lists.js';

/** Kinds of Baileys. An identity key is taken from the next bundle. */
const SIGNAL_KINDS = [
  'session',
  'sender-key',
  'sender-key-memory',
  'device-list',
  'identity-key',
] as const satisfies readonly KeyKind[];

/**
 * Kinds of this driver: the devices of an account. The last two are of earlier versions. The addresses of earlier
 * messages stay known.
 */
const LOOKED_UP_KINDS = [ACCOUNT_DEVICES_KIND, 'recipient-devices', 'recipient-address'];

/** More pre-keys than a device uploads between a backup and its restore. */
const PRE_KEY_STEP = 100_000;
/** An id has three bytes on the wire (Baileys' `xmppPreKey`). */
const LAST_PRE_KEY_ID = 0xff_ff_ff;

export async function forgetSessions(credentials: ErasableCredentials): Promise<void> {
  const login = await readLogin(credentials);
  if (login === null) return;
  await credentials.eraseKinds([...SIGNAL_KINDS, ...LOOKED_UP_KINDS]);
  // Baileys then misses the pre-key before this one and uploads new ones at the next login.
  const nextPreKeyId = raised(login.nextPreKeyId);
  await credentials.write([loginRow({ ...login, nextPreKeyId, firstUnuploadedPreKeyId: nextPreKeyId })]);
}

/** Null when there is no login or a damaged one. The next session reports either. */
async function readLogin(credentials: ErasableCredentials): Promise<AuthenticationCreds | null> {
  const row = (await credentials.read(LOGIN_KIND, [LOGIN_ID])).get(LOGIN_ID);
  try {
    return row === undefined ? null : decodeLogin(row);
  } catch (error) {
    if (error instanceof DamagedRow) return null;
    throw error;
  }
}

/** Begins again at the first ids when the ids run out. */
function raised(id: number): number {
  const next = id + PRE_KEY_STEP;
  return next + PRE_KEY_STEP > LAST_PRE_KEY_ID ? PRE_KEY_STEP : next;
}
