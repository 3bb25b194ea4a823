/** Shows the messages on a simulated phone that the account's own devices sent. */
import { findOwnSent, listDevices } from '@kurir/database';
import type { Handler } from '../operations/operation-request.js';
import { requireNumber } from './require-number.js';
import { readInbox, readTyping, requireSimulator } from './simulated-network.js';

/** This many messages of the inbox are read, because some of them are from other accounts. */
const readMax = 2_000;
const shownMax = 200;

export const readPhone: Handler<'readPhone'> = async ({ caller, params }, api) => {
  const { database } = api;
  const simulatorUrl = requireSimulator(api);
  const { accountId } = caller;
  const number = requireNumber(params.number, caller.country);
  const [inbox, typing, devices] = await Promise.all([
    readInbox(simulatorUrl, number, readMax),
    readTyping(simulatorUrl, number),
    listDevices(database, accountId),
  ]);
  const ids = inbox.map((message) => message.network_message_id);
  const own = await findOwnSent(database, accountId, ids);
  const messages = inbox.flatMap(({ network_message_id, text, received_at }) => {
    const sent = own.get(network_message_id);
    if (sent === undefined) return [];
    const { id, deviceId } = sent;
    return [
      { network_message_id, job_id: id, direction: 'to_phone' as const, device_id: deviceId, text, at: received_at },
    ];
  });
  const typists = devices.filter((device) => device.phoneNumber !== null && typing.includes(device.phoneNumber));
  return { number, messages: messages.slice(-shownMax), typing: typists.map(({ id }) => id) };
};
