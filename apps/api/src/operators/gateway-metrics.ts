/**
 * Shows the state of the whole service as gauges. The more messages wait, the longer a reading takes, so the next one
 * waits in proportion: readings take at most a fiftieth of the time.
 */
import { messagePriorities } from '@kurir/contracts';
import { type BroadcastState, broadcastStates } from '@kurir/contracts/dashboard';
import { countWaitingDevices, readPoolUse, readGatewayState, type GatewayState } from '@kurir/database';
import { gatewayGauges as gauges, showProcess } from '@kurir/metrics';
import { readReadiness } from '../pages/readiness.js';
import type { Api } from '../operations/api.js';

const readEveryMs = 10_000;
const restFactor = 50;
/** As on the page of health: a device is free for a moment at each start and hand-over. */
export const unheldAfterMs = 30_000;

const webhookStates = ['working', 'failing', 'disabled'] as const;
const retryStates = ['overdue', 'later', 'failed'] as const;

const broadcastWords = Object.keys(broadcastStates) as BroadcastState[];

function showQueue({ queue, oldest }: GatewayState): void {
  const isOf = (rank: number) => (row: { readonly priority: number }) => row.priority === rank;
  const places = ['lane', 'waits'] as const;
  const ranked = [...messagePriorities.entries()];
  gauges.queuedMessages.show(
    ranked.flatMap(([rank, priority]) =>
      places.map((place) => {
        const found = queue.filter(isOf(rank)).find((row) => row.place === place);
        return [{ priority, place }, found?.messages ?? 0] as const;
      }),
    ),
  );
  gauges.oldestInLane.show(
    ranked.map(([rank, priority]) => [{ priority }, oldest.find(isOf(rank))?.seconds ?? 0] as const),
  );
}

/** Shows zeros too, so that an alert sees the first one come and a panel is not empty. */
function showState(state: GatewayState, unheld: number): void {
  showQueue(state);
  gauges.devices.show(state.devices.map(({ network, state: is, devices }) => [{ network, state: is }, devices]));
  gauges.devicesWanted.show([[{}, state.devicesWanted]]);
  gauges.devicesUnheld.show([[{}, unheld]]);
  gauges.workers.show([[{}, state.workers]]);
  gauges.capacity.show([[{}, state.capacity]]);
  gauges.webhooks.show(
    webhookStates.map((is) => [{ state: is }, state.webhooks.find((found) => found.state === is)?.webhooks ?? 0]),
  );
  gauges.webhookRetries.show(
    retryStates.map((is) => [{ state: is }, state.retries.find((found) => found.state === is)?.events ?? 0]),
  );
  gauges.broadcasts.show(
    broadcastWords.map((is) => [{ state: is }, state.broadcasts.find((found) => found.state === is)?.broadcasts ?? 0]),
  );
  gauges.databaseBytes.show([[{}, state.databaseBytes]]);
  gauges.oldestTransaction.show([[{}, state.oldestTransactionSeconds]]);
  gauges.clockSkew.show([[{}, (Date.now() - state.now.getTime()) / 1_000]]);
}

function clearState(): void {
  for (const shown of Object.values(gauges)) shown.show([]);
}

async function showApi(api: Api): Promise<void> {
  // Before the check, which takes a connection too.
  const connections = readPoolUse(api.database);
  const { isDatabaseUp, redis } = await readReadiness(api);
  showProcess({ connections, isDatabaseUp, isRedisUp: redis === 'up' });
}

/** Returns a function that brings all gauges of the api up to date. It never rejects. */
export function createGatewayMetrics(api: Api): () => Promise<void> {
  const { database, logger } = api;
  let nextReadAt = 0;
  let reading: Promise<void> | null = null;

  async function read(): Promise<void> {
    const startedAt = performance.now();
    try {
      showState(await readGatewayState(database), await countWaitingDevices(database, unheldAfterMs));
    } catch (err) {
      logger.warn({ err }, 'state of the service not read for its metrics');
      clearState();
    }
    const endedAt = performance.now();
    nextReadAt = endedAt + Math.max(readEveryMs, restFactor * (endedAt - startedAt));
    reading = null;
  }

  const showService = () => (performance.now() < nextReadAt ? Promise.resolve() : (reading ??= read()));

  return async () => {
    await Promise.all([showApi(api), showService()]);
  };
}
