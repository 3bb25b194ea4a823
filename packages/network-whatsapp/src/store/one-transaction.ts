/**
 * One lock for sending and decrypting with a device's Signal keys. Baileys 7.0.0-rc14 locks sending under our address and
 * decrypting under the contact's, so the two may read one session row, change it and store it over each other (#2572,
 * #2811).
 */
import type { WASocket } from 'baileys';

const ONE_LOCK = 'all';
/**
 * Baileys shares one look-up of a LID between callers and stores the answer under this lock. A caller that holds the other
 * lock may wait for that look-up, so the two locks stay apart.
 */
const LID_LOCK = 'lid-mapping';

/** Before anything is sent or decrypted. */
export function lockKeysTogether({ authState: { keys } }: WASocket): void {
  const transaction = keys.transaction.bind(keys);
  // Nested transactions join the outer one, as Baileys' own do.
  keys.transaction = (work, key) => transaction(work, key === LID_LOCK ? LID_LOCK : ONE_LOCK);
}
