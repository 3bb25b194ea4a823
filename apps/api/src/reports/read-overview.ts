import { readAccountInfo, readAccountNow } from '@kurir/database';
import type { Handler } from '../operations/operation-request.js';
import { showSubscription } from '../money/show-plan.js';

export const readOverview: Handler<'readOverview'> = async ({ caller: { accountId } }, { database }) => {
  const [now, info] = await Promise.all([readAccountNow(database, accountId), readAccountInfo(database, accountId)]);
  return {
    queue: now.queue,
    devices: { total: now.devices, connected: now.connectedDevices },
    subscription: info === null ? null : showSubscription(info),
    first_steps: {
      device_linked: now.deviceLinked,
      message_sent: now.messageSent,
      key_created: now.keyCreated,
      plan_chosen: now.planChosen,
      contacts_added: now.contactsAdded,
      broadcast_started: now.broadcastStarted,
    },
  };
};
