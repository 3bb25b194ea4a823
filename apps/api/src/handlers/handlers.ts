/** One handler per operation of the route table; the compiler names what is missing. */
import type { Operation } from '@kurir/contracts';
import type { Handler } from '../verified-request.js';
import { accountInfo } from './account-info.js';
import { cancelLink } from './cancel-link.js';
import { cancelMessage } from './cancel-message.js';
import { cancelMessages } from './cancel-messages.js';
import { chatPresence } from './chat-presence.js';
import { createDevice } from './create-device.js';
import { deviceInfo } from './device-info.js';
import { disconnectDevice } from './disconnect-device.js';
import { getMessage } from './get-message.js';
import { getRenewal } from './get-renewal.js';
import { latestPlan } from './latest-plan.js';
import { linkDevice } from './link-device.js';
import { listDevices } from './list-devices.js';
import { listMessages } from './list-messages.js';
import { reconnectDevice } from './reconnect-device.js';
import { renewAccount } from './renew-account.js';
import { sendBulk } from './send-bulk.js';
import { sendMessage } from './send-message.js';
import { updateDevice } from './update-device.js';

export const handlers: { readonly [O in Operation]: Handler<O> } = {
  sendMessage,
  sendBulk,
  chatPresence,
  listMessages,
  getMessage,
  cancelMessage,
  cancelMessages,
  renewAccount,
  getRenewal,
  createDevice,
  updateDevice,
  listDevices,
  linkDevice,
  cancelLink,
  reconnectDevice,
  disconnectDevice,
  deviceInfo,
  accountInfo,
  latestPlan,
};
