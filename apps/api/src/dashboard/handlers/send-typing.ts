import { signalTyping } from '../../handlers/chat-presence.js';
import type { DashboardHandler } from '../dashboard-request.js';

export const sendTyping: DashboardHandler<'sendTyping'> = async ({ visitor, params, body }, api) => {
  await signalTyping(api, visitor.membership.accountId, params.device_id, body);
  return {};
};
