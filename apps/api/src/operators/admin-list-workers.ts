import type { OperationData } from '@kurir/contracts/dashboard';
import { readWorkers, type WorkerRow } from '@kurir/database';
import type { Handler } from '../operations/operation-request.js';

const showWorker = (worker: WorkerRow): OperationData<'adminListWorkers'>['workers'][number] => ({
  worker_id: worker.id,
  capacity: worker.capacity,
  alive: worker.alive,
  expires_at: worker.expiresAt.toISOString(),
  devices: worker.devices.map((device) => ({
    device_id: device.deviceId,
    account_id: device.accountId,
    name: device.name,
    network: device.network,
    state: device.state,
    epoch: String(device.epoch),
    lease_until: device.leaseUntil.toISOString(),
  })),
});

export const adminListWorkers: Handler<'adminListWorkers'> = async (_request, { database }) => {
  const { workers, waitingForWorker } = await readWorkers(database);
  return { workers: workers.map(showWorker), waiting_for_worker: waitingForWorker };
};
