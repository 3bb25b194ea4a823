/** Builds a worker from open resources, with the roles that it was given. */
import { newId } from '@kurir/contracts';
import { createAccountKeys } from '@kurir/database';
import { watchHealth, type WorkerHealth } from './health/worker-health.js';
import type { RoleParts, WorkerParts } from './roles/role-parts.js';
import { startBroadcasts } from './roles/start-broadcasts.js';
import { startDevices } from './roles/start-devices.js';
import { startWebhooks } from './webhooks/start-webhooks.js';

export type RunningWorker = {
  health(): Promise<WorkerHealth>;
  /** Finishes the messages in flight, and gives everything back that other workers can take. */
  stop(): Promise<void>;
};

export function startWorker(parts: WorkerParts): RunningWorker {
  const { database, queue, sealer, roles } = parts;
  const owner = newId('wrk');
  const log = parts.log.child({ worker: owner });
  const accountKeys = createAccountKeys(database, sealer);
  const roleParts: RoleParts = { ...parts, owner, accountKeys, log };
  const webhookParts = { owner, database, sealer, accountKeys, queue, log };
  const { webhookAddresses: policy, retention } = parts;

  const devices = roles.includes('devices') ? startDevices(roleParts) : null;
  const stopWebhooks = roles.includes('webhooks')
    ? startWebhooks({ ...webhookParts, policy, eventDays: retention.eventDays })
    : null;
  const stopBroadcasts = roles.includes('broadcasts') ? startBroadcasts(roleParts) : null;
  const held = devices === null ? null : { supervisor: devices.supervisor, capacity: parts.capacity };
  const health = watchHealth({ database, queue, roles, held, log });
  log.info({ roles }, 'worker started');
  return {
    health: () => health.read(),
    async stop() {
      log.info({ held: held?.supervisor.size }, 'worker stopping');
      health.stop();
      await Promise.all([devices?.stop(), stopWebhooks?.(), stopBroadcasts?.()]);
      log.info('worker stopped');
    },
  };
}
