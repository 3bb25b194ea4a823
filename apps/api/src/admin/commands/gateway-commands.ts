/** The state of the whole service: what the runbooks of the alerts look at. */
import { messagePriorities } from '@kurir/contracts';
import { readBusiestLanes, readGatewayState, readTroubledWebhooks, readWorkers } from '@kurir/database';
import type { Command } from 'commander';
import type { Admin, OutputOptions, Run } from '../terminal/run-command.js';
import type { Output, Row } from '../terminal/show-rows.js';
import { addRestoredCommand } from './restored-backup.js';

/** So many rows are enough to see who has trouble. */
const shownRows = 50;

const priorityOf = (rank: number) => messagePriorities[rank] ?? String(rank);
const rounded = (seconds: number) => Math.round(seconds * 10) / 10;

async function showState({ database }: Admin): Promise<Output> {
  const state = await readGatewayState(database);
  const row = (what: string, of: string, value: number): Row => ({ what, of, value });
  return [
    row('workers', 'alive', state.workers),
    row('workers', 'places', state.capacity),
    row('devices', 'wanted', state.devicesWanted),
    ...state.devices.map(({ network, state: is, devices }) => row('devices', `${network} ${is}`, devices)),
    ...state.queue.map(({ priority, place, messages }) =>
      row('messages', `${priorityOf(priority)} ${place === 'lane' ? 'in lanes' : 'waiting'}`, messages),
    ),
    ...state.oldest.map(({ priority, seconds }) =>
      row('oldest in a lane, seconds', priorityOf(priority), rounded(seconds)),
    ),
    ...state.webhooks.map(({ state: is, webhooks }) => row('webhooks', is, webhooks)),
    ...state.retries.map(({ state: is, events }) => row('retries of webhooks', is, events)),
    ...state.broadcasts.map(({ state: is, broadcasts }) => row('broadcasts', is, broadcasts)),
    row('database, megabytes', 'size', Math.round(state.databaseBytes / 1e6)),
    row('oldest transaction that writes, seconds', 'age', rounded(state.oldestTransactionSeconds)),
    row('clock of this machine minus Postgres, seconds', 'skew', rounded((Date.now() - state.now.getTime()) / 1_000)),
  ];
}

async function listWorkers({ database }: Admin): Promise<Output> {
  const { workers } = await readWorkers(database);
  return workers.map(({ id, alive, capacity, devices, expiresAt }) => ({
    worker: id,
    alive,
    places: capacity,
    devices: devices.length,
    expires_at: expiresAt.toISOString(),
  }));
}

async function listLanes({ database }: Admin): Promise<Output> {
  const lanes = await readBusiestLanes(database, shownRows);
  return lanes.map(({ deviceId, accountId, otp, normal, bulk, sending, oldestWaitingAt }) => ({
    device: deviceId,
    account: accountId,
    otp,
    normal,
    bulk,
    sending,
    oldest_waiting_at: oldestWaitingAt?.toISOString() ?? null,
  }));
}

async function listWebhooks({ database }: Admin): Promise<Output> {
  const webhooks = await readTroubledWebhooks(database, shownRows);
  return webhooks.map((webhook) => ({
    webhook: webhook.id,
    account: webhook.accountId,
    origin: webhook.origin,
    state: webhook.enabled ? 'failing' : `disabled (${webhook.disabledReason ?? 'by hand'})`,
    failing_since: webhook.failingSince?.toISOString() ?? null,
    last_success_at: webhook.lastSuccessAt?.toISOString() ?? null,
    waiting: webhook.waiting,
  }));
}

export function addGatewayCommands(program: Command, run: Run): void {
  const service = program.command('service').description('the state of the whole service');
  const add = (name: string, description: string, work: (admin: Admin) => Promise<Output>) =>
    service
      .command(name)
      .description(description)
      .option('--json', 'print JSON')
      .action((options: OutputOptions) => run(options, work));
  add('show', 'workers, devices, messages that wait, webhooks and the database, in numbers', showState);
  add('workers', 'the workers of the last hour', listWorkers);
  add('lanes', 'the devices with the most messages that wait', listLanes);
  add('webhooks', 'the webhooks that fail, or that Kurir disabled', listWebhooks);
  addRestoredCommand(service, run);
}
