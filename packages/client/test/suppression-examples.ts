/** Example data of suppressions, as the gateway sends it. */
import type { DataOf } from '@kurir/contracts';

const at = '2026-11-21T09:00:00.000Z';

type Suppression = DataOf<'listSuppressions'>['suppressions'][number];
export const exampleSuppression = (changed: Partial<Suppression> = {}): Suppression => ({
  phone: '6281234567890',
  user_id: null,
  scope: 'marketing',
  reason: 'keyword',
  message_id: 'inb_1',
  added_by: null,
  created_at: at,
  ...changed,
});

export const exampleOptOut: DataOf<'getOptOut'> = {
  stop_words: ['STOP', 'BERHENTI'],
  start_words: ['START', 'MULAI'],
  stop_reply: 'No more promotions.',
  start_reply: null,
};
