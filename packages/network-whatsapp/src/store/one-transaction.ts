/**
 * One lock for sending and decrypting with a device's Signal keys. Baileys 7.0.0-rc14 locks under our own address for
 * sending and under the contact's for decrypting. So both may read one session row, change it, and overwrite each
 * other's change (#2572, #2811).
 */
import type { WASocket } from 'baileys';

const ONE_LOCK = 'all';
/**
 * Baileys shares one look-up of a LID among its callers and stores the answer under this lock. A caller that holds the
 * other lock may wait for that look-up, so the two locks stay apart.
 */
const LID_LOCK = 'lid-mapping';

/** Call it before anything is sent or decrypted. */
export function lockKeysTogether({ authState: { keys } }: WASocket): void {
  const transaction = keys.transaction.bind(keys);
  // Nested transactions join the outer one, as Baileys' own do.
  keys.transaction = (work, key) => transaction(work, key === LID_LOCK ? LID_LOCK : ONE_LOCK);
}
