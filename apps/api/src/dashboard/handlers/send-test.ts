/** A message that a person sends from the dashboard: the same step `accept` as a signed request, under the person's id. */
import { randomBytes } from 'node:crypto';
import type { DeviceId } from '@kurir/contracts';
import { acceptOne, newMessage } from '../../accept.js';
import { requireDevice } from '../../handlers/require-device.js';
import type { DashboardHandler } from '../dashboard-request.js';
import type { Visitor } from '../visitor.js';

/** Nobody repeats this: the bytes are never the same twice. */
const repeatKeyBytes = 32;

export const senderOf = ({ user, membership }: Visitor) => ({
  accountId: membership.accountId,
  keyId: user.id,
  repeatKey: randomBytes(repeatKeyBytes),
});

export const sendTest: DashboardHandler<'sendTest'> = async ({ id, visitor, body }, api) => {
  const caller = senderOf(visitor);
  const device = await requireDevice(api.database, caller.accountId, body.deviceId);
  const deviceId: DeviceId = device.id;
  const { jobId } = await acceptOne(api, newMessage({ id, caller, deviceId }, body.input, 0));
  return { job_id: jobId };
};
