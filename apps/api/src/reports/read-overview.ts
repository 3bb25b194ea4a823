import type { OperationData } from '@kurir/contracts/dashboard';
import { type HourRow, readAccountInfo, readAccountNow, readHours } from '@kurir/database';
import type { Handler } from '../operations/operation-request.js';
import { showSubscription } from '../money/show-plan.js';

type Latency = OperationData<'readOverview'>['otp'];

const showLatency = ({ otpCount, otpP50Ms, otpP99Ms }: HourRow): Latency => ({
  count: otpCount,
  p50_ms: otpP50Ms,
  p99_ms: otpP99Ms,
});

export const readOverview: Handler<'readOverview'> = async ({ caller, query }, { database }) => {
  const { accountId } = caller;
  const [span, now, info] = await Promise.all([
    readHours(database, accountId, query.hours),
    readAccountNow(database, accountId),
    readAccountInfo(database, accountId),
  ]);
  const hours = span.hours.map((row) => ({
    hour: row.hour.toISOString(),
    accepted: row.accepted,
    delivered: row.delivered,
    failed: row.failed,
    otp: showLatency(row),
  }));
  return {
    hours,
    otp: showLatency(span.all),
    queue: now.queue,
    devices: { total: now.devices, connected: now.connectedDevices },
    subscription: info === null ? null : showSubscription(info),
    first_steps: {
      device_linked: now.deviceLinked,
      message_sent: now.messageSent,
      key_created: now.keyCreated,
      plan_chosen: now.planChosen,
    },
  };
};
