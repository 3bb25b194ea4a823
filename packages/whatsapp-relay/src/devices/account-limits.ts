/**
 * The limits that WhatsApp puts on an account: the reach-out timelock (no messages to strangers until a time) and the
 * allowance of new chats. Companions ask for them by graph query (`w:mex`). The server announces each change to them.
 * The ids and names of queries are those of Baileys 7.0.0-rc14 (`QueryIds`, `handleMexNotification`). Times are seconds
 * since 1970, as text.
 */
import { randomBytes } from 'node:crypto';
import type { Account, NewChatCap, ReachoutTimelock } from './account.js';
import { child, serverJid, type Stanza, stanza, timestamp } from '../wire/stanza.js';

const reachoutTimelockQuery = '23983697327930364';
const newChatCapQuery = '24503548349331633';

/** The data of the answer, or null for any other query. */
export function answerGraphQuery(account: Account, request: Stanza): readonly Stanza[] | null {
  const queryId = child(request, 'query')?.attrs['query_id'];
  switch (queryId) {
    case reachoutTimelockQuery:
      return result({ xwa2_fetch_account_reachout_timelock: timelockData(account.reachoutTimelock) });
    case newChatCapQuery:
      return result({ xwa2_message_capping_info: capData(account.newChatCap) });
    default:
      return null;
  }
}

export function setReachoutTimelock(account: Account, timelock: ReachoutTimelock | null, isTold: boolean): void {
  account.reachoutTimelock = timelock;
  if (!isTold) return;
  const data = { xwa2_notify_account_reachout_timelock: timelockData(timelock) };
  announce(account, 'NotificationUserReachoutTimelockUpdate', data);
}

export function setNewChatCap(account: Account, cap: NewChatCap | null): void {
  account.newChatCap = cap;
  const data = { xwa2_notify_new_chat_messages_capping_info_update: capData(cap) };
  announce(account, 'MessageCappingInfoNotification', data);
}

/** Whether a timelock forbids the account to write to this number. Contacts stay reachable. */
export function isTimelocked(account: Account, recipient: string, now = Date.now()): boolean {
  const { reachoutTimelock, contacts } = account;
  return reachoutTimelock !== null && reachoutTimelock.endsAt.getTime() > now && !contacts.has(recipient);
}

/** Makes the two accounts contacts of each other. The account that wrote first uses up one new chat. */
export function meet(from: Account, to: Account): void {
  if (from === to) return;
  from.wroteTo.add(to.number);
  if (from.contacts.has(to.number)) return;
  from.contacts.add(to.number);
  to.contacts.add(from.number);
  if (from.newChatCap) from.newChatCap = { ...from.newChatCap, usedQuota: from.newChatCap.usedQuota + 1 };
}

function timelockData(timelock: ReachoutTimelock | null): object {
  if (!timelock) return { is_active: false, time_enforcement_ends: '0', enforcement_type: 'DEFAULT' };
  return {
    is_active: true,
    time_enforcement_ends: seconds(timelock.endsAt),
    enforcement_type: timelock.enforcementType,
  };
}

function capData(cap: NewChatCap | null): object {
  return {
    total_quota: cap?.totalQuota ?? -1,
    used_quota: cap?.usedQuota ?? 0,
    cycle_start_timestamp: '0',
    cycle_end_timestamp: cap ? seconds(cap.cycleEndsAt) : '0',
    server_sent_timestamp: timestamp(),
    ote_status: 'NOT_ELIGIBLE',
    mv_status: 'NOT_ELIGIBLE',
    capping_status: cap?.status ?? 'NONE',
  };
}

function result(data: object): readonly Stanza[] {
  return [stanza('result', {}, Buffer.from(JSON.stringify({ data })))];
}

function announce(account: Account, operation: string, data: object): void {
  const update = stanza('update', { op_name: operation }, Buffer.from(JSON.stringify({ data })));
  const attrs = { from: serverJid, type: 'mex', id: randomBytes(6).toString('hex'), t: timestamp() };
  for (const device of account.devices.values()) device.deliver(stanza('notification', attrs, [update]));
}

function seconds(at: Date): string {
  return String(Math.floor(at.getTime() / 1000));
}
