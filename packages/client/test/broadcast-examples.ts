/** Example data of broadcasts, as the gateway sends it. */
import type { DataOf } from '@kurir/contracts';
import { templateAnswers } from './template-examples.js';

const at = '2026-11-21T09:00:00.000Z';

type Broadcast = DataOf<'createBroadcast'>;
type Counted = DataOf<'getBroadcast'>;
type Recipient = DataOf<'listBroadcastRecipients'>['recipients'][number];

export const exampleBroadcast = (changed: Partial<Broadcast> = {}): Broadcast => ({
  broadcast_id: 'brc_1',
  name: 'Promo',
  category: 'marketing',
  state: 'draft',
  paused_by: null,
  device_ids: ['dev_1'],
  pace_per_minute: null,
  send_at: null,
  recipients: 0,
  planned_share: null,
  audience_problem: null,
  created_at: at,
  started_at: null,
  ended_at: null,
  window: { from: '08:00', to: '21:00', zone: 'recipient' },
  max_per_person_a_day: 1,
  guards: { failed_percent: 20, opted_out_percent: 3 },
  tripped: null,
  ...changed,
});

export const exampleCounted = (changed: Partial<Counted> = {}): Counted => ({
  broadcast: exampleBroadcast({ state: 'running', recipients: 3, started_at: at }),
  counts: { pending: 1, skipped: [{ reason: 'invalid_number', count: 1 }], messages: { sent: 1 }, failed: [] },
  text: { message: 'Halo {{nama|Kak}}', footer: null },
  rate_per_minute: 30,
  ends_about: at,
  ...changed,
});

export const exampleRecipient = (changed: Partial<Recipient> = {}): Recipient => ({
  position: 1,
  phone: '6281234567890',
  outcome: 'sent',
  reason: null,
  job_id: 'msg_1',
  device_id: 'dev_1',
  ...changed,
});

const { broadcast, counts } = exampleCounted();

/** Those of templates too. */
export const broadcastAnswers = () => ({
  ...templateAnswers(),
  createBroadcast: () => exampleBroadcast(),
  addBroadcastRecipients: () => ({ broadcast_id: 'brc_1', recipients: 2 }),
  checkBroadcast: () => ({
    broadcast,
    counts,
    sendable: 1,
    shares: [{ device_id: 'dev_1', known: 1, pace_per_minute: 20 }],
    new_contacts: 0,
    remaining_quota: '998',
    samples: [{ phone: '6281234567890', text: 'Halo' }],
  }),
  startBroadcast: () => exampleBroadcast({ state: 'running' }),
  pauseBroadcast: () => exampleBroadcast({ state: 'paused', paused_by: 'user' }),
  resumeBroadcast: () => exampleBroadcast({ state: 'running' }),
  cancelBroadcast: () => exampleBroadcast({ state: 'cancelled' }),
  updateBroadcast: () => exampleBroadcast(),
  testBroadcast: () => ({ job_id: 'msg_1' }),
  listBroadcasts: () => ({ broadcasts: [exampleBroadcast()], next_cursor: null }),
  getBroadcast: () => exampleCounted(),
  listBroadcastRecipients: () => ({ recipients: [exampleRecipient()], next_cursor: null }),
  exportBroadcastResults: () => 'position,phone\r\n1,6281234567890\r\n',
});
