import { createDevice as create, defaultPoliteness, recordAudit, writePoliteness } from '@kurir/database';
import type { Handler } from '../verified-request.js';
import { requireDevice } from './require-device.js';

export const createDevice: Handler<'createDevice'> = async ({ caller, body }, { database }) => {
  const { accountId, keyId } = caller;
  const polite = defaultPoliteness(body.network);
  const pacePerMinute = body.pacePerMinute ?? polite.pacePerMinute;
  const deviceId = await create(database, { accountId, ...body, pacePerMinute });
  await writePoliteness(database, accountId, deviceId, { ...polite, pacePerMinute });
  await recordAudit(database, { accountId, actor: keyId, action: 'device.created', subject: deviceId });
  const { id, name, network, state, createdAt } = await requireDevice(database, accountId, deviceId);
  return { data: { device_id: id, state, created_at: createdAt.toISOString(), name, network } };
};
