/** The answers of the test gateway about plans, and about what happened in the account. */
import type { DataOf } from '@kurir/contracts';
import type { Answers } from './gateway-fixture.js';

type Entry = DataOf<'listAudit'>['entries'][number];

export const exampleEntry = (changed: Partial<Entry> = {}): Entry => ({
  entry_id: 'aud_1',
  at: '2026-11-21T09:00:00.000Z',
  actor: { id: 'usr_1', name: 'Sari' },
  action: 'key.created',
  subject: 'kk_live_1',
  subject_name: null,
  number_ends: null,
  address: '203.0.113.7',
  ...changed,
});

type Request = DataOf<'listRequests'>['requests'][number];

export const exampleRequest = (changed: Partial<Request> = {}): Request => ({
  request_id: 'req_1',
  at: '2026-11-21T09:00:00.000Z',
  api_key: 'kk_live_1',
  key_name: 'Toko',
  operation: 'sendMessage',
  method: 'POST',
  path: '/api/v1/messages/send',
  status: 429,
  code: 'RATE_LIMITED',
  duration_ms: 3,
  address: '203.0.113.7',
  not_recorded: 0,
  ...changed,
});

export const accountAnswers = () =>
  ({
    latestPlan: () => ({
      plan_name: 'Starter',
      plan_type: 'TIME_BASED',
      duration: '30 hari',
      price: 150_000,
      quota: 'Unlimited',
    }),
    listRequests: () => ({ requests: [exampleRequest()], next_cursor: null }),
    listAudit: () => ({ entries: [exampleEntry()], next_cursor: null }),
    exportAudit: () => 'at,actor\r\n2026-11-21T09:00:00.000Z,usr_1\r\n',
  }) satisfies Partial<Answers>;
