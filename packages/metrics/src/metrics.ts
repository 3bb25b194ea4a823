/**
 * All metrics of Kurir. To add one, define it here; `npm run generate` writes it into docs/metrics.md. Durations are
 * seconds. Counters begin at zero when a process starts.
 */
import type { DeviceReason, ErrorCode, MessagePriority, MessageReason, MessageStatus, Network } from '@kurir/contracts';
import { messagePriorities, messageStatuses, networkNames } from '@kurir/contracts';
import type { OperationName } from '@kurir/contracts/dashboard';
import { counter, gauge, histogram, type NoLabels } from './instruments.js';

const requestBuckets = [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 10];
/** A code should be on the wire within a second; bulk messages wait for the pace of their device. */
const waitBuckets = [0.05, 0.1, 0.25, 0.5, 1, 2, 5, 10, 30, 60, 300, 3_600];
const networkBuckets = [0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30];

/** Reasons for which an alert waits. */
const alarming = ['banned', 'temporarily_banned', 'client_outdated'] as const;

const ofEachPriority = messagePriorities.map((priority) => ({ priority }));

/** `send`: operations that accept messages. `key`: other operations with a key. `person`: pages of the dashboard. */
export type RequestGroup = 'send' | 'key' | 'person' | 'other';
/** The class of a status, or `aborted` if the caller went away. */
export type StatusClass = '2xx' | '3xx' | '4xx' | '5xx' | 'aborted';

export const metrics = {
  requests: counter<{ operation: OperationName | 'none'; status: StatusClass }>({
    name: 'kurir_http_requests_total',
    help: 'Requests by operation of the API. `none`: the request names no operation.',
    labels: ['operation', 'status'],
    from: 'api',
  }),

  requestSeconds: histogram<{ group: RequestGroup }>(
    {
      name: 'kurir_http_request_duration_seconds',
      help: 'Time from the head of a request to the end of its answer. Live streams do not count.',
      labels: ['group'],
      from: 'api',
    },
    requestBuckets,
  ),

  requestErrors: counter<{ code: ErrorCode }>({
    name: 'kurir_http_errors_total',
    help: 'Requests that ended with an error, by its code.',
    labels: ['code'],
    from: 'api',
  }),

  acceptedMessages: counter<{ priority: MessagePriority }>(
    {
      name: 'kurir_messages_accepted_total',
      help: 'Messages that were stored. Those of broadcasts count when they are released.',
      labels: ['priority'],
      from: 'both',
    },
    ofEachPriority,
  ),

  messageMoves: counter<{ status: MessageStatus }>(
    {
      name: 'kurir_message_moves_total',
      help: 'Messages that came to a status. `read` of a message that was only `sent` counts as `delivered` too.',
      labels: ['status'],
      from: 'both',
    },
    messageStatuses.map((status) => ({ status })),
  ),

  messageWait: histogram<{ priority: MessagePriority }>(
    {
      name: 'kurir_message_wait_seconds',
      help: 'Time from the acceptance of a message, or from its `send_at`, to its first try.',
      labels: ['priority'],
      from: 'worker',
    },
    waitBuckets,
    ofEachPriority,
  ),

  tries: counter<{
    network: Network;
    outcome: 'sent' | 'refused' | 'refused_for_now' | 'unanswered';
    reason: MessageReason | 'none' | 'connection_lost' | 'no_answer';
  }>(
    {
      name: 'kurir_tries_total',
      help: 'Tries to send a message, by the answer of the network.',
      labels: ['network', 'outcome', 'reason'],
      from: 'worker',
    },
    networkNames.map((network) => ({ network, outcome: 'sent', reason: 'none' })),
  ),

  trySeconds: histogram<{ network: Network }>(
    {
      name: 'kurir_try_duration_seconds',
      help: 'Time from a try to the answer of the network, or to its end without an answer.',
      labels: ['network'],
      from: 'worker',
    },
    networkBuckets,
  ),

  inboundMessages: counter<{ network: Network }>({
    name: 'kurir_inbound_messages_total',
    help: 'Messages of people that were stored.',
    labels: ['network'],
    from: 'worker',
  }),

  sessionEnds: counter<{ network: Network; reason: DeviceReason }>(
    {
      name: 'kurir_session_ends_total',
      help: 'Sessions of devices that ended, by reason. Those that a worker closed itself do not count.',
      labels: ['network', 'reason'],
      from: 'worker',
    },
    networkNames.flatMap((network) => alarming.map((reason) => ({ network, reason }))),
  ),

  leasesTaken: counter<{ from: 'nobody' | 'dead_worker' }>(
    {
      name: 'kurir_leases_taken_total',
      help: 'Devices that this worker took. `dead_worker`: their worker did not give them back.',
      labels: ['from'],
      from: 'worker',
    },
    [{ from: 'nobody' }, { from: 'dead_worker' }],
  ),

  leasesLost: counter<NoLabels>({
    name: 'kurir_leases_lost_total',
    help: 'Devices that this worker lost, because it could not renew their leases in time.',
    labels: [],
    from: 'worker',
  }),

  webhookPosts: counter<{ result: 'taken' | 'refused' | 'no_answer' }>({
    name: 'kurir_webhook_posts_total',
    help: 'Posts to webhooks. `refused`: the answer was not 2xx.',
    labels: ['result'],
    from: 'worker',
  }),

  webhookPostSeconds: histogram<NoLabels>(
    {
      name: 'kurir_webhook_post_duration_seconds',
      help: 'Time from a post to a webhook to its answer.',
      labels: [],
      from: 'worker',
    },
    networkBuckets,
  ),

  webhookDelay: histogram<NoLabels>(
    {
      name: 'kurir_webhook_delay_seconds',
      help: 'Time from an event to the answer of the webhook that took it, retries included.',
      labels: [],
      from: 'worker',
    },
    waitBuckets,
  ),

  choreRuns: counter<{ chore: string; result: 'done' | 'failed' }>({
    name: 'kurir_chore_runs_total',
    help: 'Runs of the chores of a worker.',
    labels: ['chore', 'result'],
    from: 'worker',
  }),

  choreSeconds: counter<{ chore: string }>({
    name: 'kurir_chore_seconds_total',
    help: 'Time that the chores of a worker took.',
    labels: ['chore'],
    from: 'worker',
  }),

  mails: counter<{ result: 'sent' | 'failed' }>(
    {
      name: 'kurir_mails_total',
      help: 'Mails that were given to the mail server, and those that it did not take.',
      labels: ['result'],
      from: 'api',
    },
    [{ result: 'sent' }, { result: 'failed' }],
  ),

  partsUp: gauge<{ part: 'database' | 'redis' }>({
    name: 'kurir_up',
    help: '1 if this process can use the part, else 0: what `/health/ready` says.',
    labels: ['part'],
    from: 'both',
  }),

  databaseConnections: gauge<{ state: 'busy' | 'idle' | 'waiting' }>({
    name: 'kurir_database_connections',
    help: 'Connections of this process to Postgres. `waiting`: statements that wait for a connection.',
    labels: ['state'],
    from: 'both',
  }),

  heldDevices: gauge<NoLabels>({
    name: 'kurir_worker_devices',
    help: 'Devices that this worker holds.',
    labels: [],
    from: 'worker',
  }),

  workerCapacity: gauge<NoLabels>({
    name: 'kurir_worker_capacity',
    help: 'Devices that this worker can hold: KURIR_WORKER_CAPACITY.',
    labels: [],
    from: 'worker',
  }),

  leasesStale: gauge<NoLabels>({
    name: 'kurir_worker_leases_stale',
    help: '1 if this worker could not renew its leases in time, else 0.',
    labels: [],
    from: 'worker',
  }),

  buildInfo: gauge<{ program: 'api' | 'worker'; version: string; node: string }>({
    name: 'kurir_build_info',
    help: 'Always 1. The labels name the program, its version and the version of Node.',
    labels: ['program', 'version', 'node'],
    from: 'both',
  }),
};
