/**
 * Products that are broken on purpose, to prove that the attack notices it. A mutation changes the built programs while
 * Node loads them. The product itself knows nothing of it.
 */
import type { Weights } from '../plan/plan-faults.js';

/** Replaces the text `find` by `put` in a built file. `find` must be there exactly once. */
export type Replacement = { readonly file: string; readonly find: string; readonly put: string };

/** Statements that run once, before the load begins. */
export type DatabaseChange = {
  readonly statements: readonly string[];
  /** A query whose column `holds` is true when the statements have taken effect. */
  readonly check: string;
};

export type Mutation = {
  readonly what: string;
  readonly replacements: readonly Replacement[];
  /** Modules to load in place of others. */
  readonly modules: Readonly<Record<string, string>>;
  readonly sql: readonly DatabaseChange[];
  readonly env: Readonly<Record<string, string>>;
  /** The faults that hit this mutant where it is weak. */
  readonly weights: Weights;
};

const plain = { replacements: [], modules: {}, sql: [], env: {} };

const claimFile = 'packages/database/dist/messages/claim-message.js';
const supervisorFile = 'apps/worker/dist/devices/device-supervisor.js';
const queueFile = 'packages/queue/dist/redis/connect.js';
const sweepFile = 'apps/worker/dist/sweep/fill-devices.js';

const noSweep: Replacement = {
  file: sweepFile,
  find: 'export async function fillDevices(parts, deviceIds, olderThanMs) {',
  put: 'export async function fillDevices(parts, deviceIds, olderThanMs) { return;',
};

const noEpochChecks: readonly Replacement[] = [
  {
    file: claimFile,
    find: 'WHERE l.device_id = asked.device_id AND l.owner = asked.owner AND l.epoch = asked.epoch AND l.expires_at > now()',
    put: 'WHERE l.device_id = asked.device_id',
  },
  {
    file: 'packages/database/dist/sessions/leases.js',
    find: `WHERE l.owner = $1 AND l.expires_at > now() AND l.epoch::text = $3::jsonb ->> l.device_id
           RETURNING l.device_id, l.epoch`,
    put: 'WHERE $3::jsonb ? l.device_id RETURNING l.device_id, ($3::jsonb ->> l.device_id)::bigint AS epoch',
  },
  {
    file: 'packages/database/dist/sessions/device-session.js',
    find: 'l.device_id = $1 AND l.owner = $2 AND l.epoch = $3 AND l.expires_at > now()',
    put: 'l.device_id = $1 AND $2::text IS NOT NULL AND $3::bigint IS NOT NULL',
  },
  { file: supervisorFile, find: 'fenceIfStale() {', put: 'fenceIfStale() { return;' },
  {
    file: 'apps/worker/dist/devices/write-session-end.js',
    find: 'if (owner !== lease.token.owner)',
    put: 'if (owner === undefined)',
  },
];

const mutations: Readonly<Record<string, Mutation>> = {
  'random-id': {
    ...plain,
    what: 'each try of a message has an id of its own',
    replacements: [
      {
        file: claimFile,
        find: 'networkMessageId: row.network_message_id',
        put: "networkMessageId: '3EB0' + crypto.randomUUID().replaceAll('-', '').slice(0, 18).toUpperCase()",
      },
    ],
    weights: { kill_worker: 4, acknowledgement_lost: 4, reset_in_mid_frame: 4 },
  },
  'moves-at-fetching': {
    ...plain,
    what: 'a broadcast moves its place when it fetches recipients, before their messages are stored',
    replacements: [
      {
        file: 'packages/database/dist/broadcasts/release/release-messages.js',
        find: 'await useReserved(client, broadcast, fresh.length);',
        put: `await noteReleased(client, broadcast, fresh);
    await client.query('COMMIT');
    await client.query('BEGIN');
    await new Promise((resolve) => setTimeout(resolve, 100));
    await useReserved(client, broadcast, fresh.length);`,
      },
    ],
    weights: {},
  },
  'no-sweep': {
    ...plain,
    what: 'nothing is enqueued again from Postgres',
    replacements: [noSweep],
    weights: { redis_wiped: 4, redis_outage: 2, kill_worker: 1 },
  },
  'async-commit': {
    ...plain,
    what: 'Postgres answers before it has written',
    sql: [
      {
        statements: ['ALTER SYSTEM SET synchronous_commit = off', 'SELECT pg_reload_conf()'],
        check: `SELECT setting = 'off' AS holds FROM pg_settings WHERE name = 'synchronous_commit'`,
      },
    ],
    // In production the programs refuse to start with this setting.
    env: { NODE_ENV: 'development' },
    weights: { kill_postgres: 8, kill_api: 1 },
  },
  'stall-limit': {
    ...plain,
    what: 'a ticket that two crashes hit is given up, and nothing is enqueued again',
    replacements: [
      { file: 'packages/queue/dist/lanes/lane.js', find: 'maxStalledCount = 1_000_000', put: 'maxStalledCount = 1' },
      noSweep,
    ],
    weights: { kill_worker: 8, pause_worker: 1 },
  },
  'no-lease': {
    ...plain,
    what: 'no epoch is checked, and nobody notices that a lease is lost',
    replacements: noEpochChecks,
    // Rare enough that the other worker is awake and takes the devices. Two paused workers take nothing from each
    // other.
    weights: { pause_worker: 1, receipt_doubled: 5 },
  },
  'answer-first': {
    ...plain,
    what: 'the api answers before the commit',
    replacements: [
      {
        file: 'apps/api/dist/messages/accept.js',
        find: 'const outcome = await acceptTraced(api.acceptor, message, traceparent);',
        put: `void acceptTraced(api.acceptor, message, traceparent).catch(() => {});
    const outcome = { kind: 'accepted', messageId: message.id, seq: 0n };`,
      },
    ],
    weights: { kill_api: 4, kill_postgres: 4, black_hole_postgres: 1 },
  },
  'waits-for-tcp': {
    ...plain,
    what: 'lanes and subscriptions wait until TCP gives up for a Redis that is gone without a word',
    replacements: [
      {
        file: queueFile,
        find: 'reconnectOnSilence(redis);',
        put: 'if (settings.commandTimeout) reconnectOnSilence(redis);',
      },
    ],
    weights: { connections_forgotten: 1 },
  },
  'bullmq-6-2': {
    ...plain,
    what: 'BullMQ 6.2.0, which may stop consuming after an outage, without the watchdog',
    modules: { bullmq: 'bullmq-6-2' },
    replacements: [
      {
        file: sweepFile,
        find: 'function reopenStuck(parts, waiting) {',
        put: 'function reopenStuck(parts, waiting) { return;',
      },
    ],
    weights: { redis_outage: 4, kill_redis: 4, connections_reset: 1 },
  },
  'no-contact-limit': {
    ...plain,
    what: 'no limit on new contacts counts',
    replacements: [
      {
        file: 'packages/database/dist/devices/new-contacts.js',
        find: " OR used >= ${forOthers('allowance')})`;",
        put: ')`;',
      },
    ],
    weights: { kill_worker: 1, receipt_doubled: 1 },
  },
  'sequence-alone': {
    ...plain,
    what: 'webhooks are read up to the last event that is visible, although earlier ones may still be committed',
    replacements: [
      {
        file: 'packages/database/dist/webhooks/read-webhook-events.js',
        find: 'AND (e.generation < here.generation OR e.xid < here.horizon)',
        put: '',
      },
      {
        file: 'packages/database/dist/webhooks/read-webhook-events.js',
        find: 'next: hasMore && last !== undefined ? last.position : end',
        put: 'next: last !== undefined ? last.position : end',
      },
    ],
    weights: { acknowledgement_late: 1, receipt_doubled: 1 },
  },
  'forgets-cursor': {
    ...plain,
    what: 'a worker that takes a webhook begins with the events of now',
    replacements: [
      {
        file: 'packages/database/dist/webhooks/read-webhooks.js',
        find: 'w.version, r.generation, r.xid::text AS xid, r.seq,',
        put: 'w.version, event_generation() AS generation, pg_snapshot_xmin(pg_current_snapshot())::text AS xid, 0::bigint AS seq,',
      },
    ],
    weights: { kill_worker: 4, stop_worker: 1 },
  },
  'acknowledges-first': {
    ...plain,
    what: 'the network hears that a message of a person is stored before it is',
    replacements: [
      {
        file: 'apps/worker/dist/devices/session-events.js',
        find: 'await keepTrying(device, () => inbound.store(report), { networkMessageId });',
        put: 'void keepTrying(device, () => inbound.store(report), { networkMessageId }).catch(() => {});',
      },
    ],
    weights: { kill_worker: 8, kill_postgres: 2 },
  },
  'doubles-inbound': {
    ...plain,
    what: 'nobody looks whether a message of a person is stored already',
    replacements: [
      {
        file: 'packages/database/dist/conversations/store-inbound.js',
        find: 'return rows[0] ?? null;',
        put: 'return null;',
      },
    ],
    sql: [
      {
        statements: ['DROP INDEX inbound_messages_once_key'],
        check: `SELECT to_regclass('inbound_messages_once_key') IS NULL AS holds`,
      },
    ],
    weights: { kill_worker: 1, sessions_restarted: 1 },
  },
  'pace-forgotten': {
    ...plain,
    what: 'a device sends as fast as one without a pace',
    replacements: [
      {
        file: 'packages/database/dist/devices/device-pace.js',
        find: 'CASE WHEN o.opens_at > now() THEN ${priorityRanks.otp}',
        put: 'CASE WHEN false THEN ${priorityRanks.otp}',
      },
    ],
    weights: { kill_worker: 1, receipt_doubled: 1 },
  },
};

export const mutantNames = Object.keys(mutations);

export function findMutation(name: string): Mutation {
  const mutation = mutations[name];
  if (mutation === undefined) throw new Error(`There is no mutant ${name}.`);
  return mutation;
}
