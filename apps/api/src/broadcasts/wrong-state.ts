/** The sentences for a call that does not fit the state of its broadcast. Each says what to do instead. */
import { ApiError, type BroadcastState } from '@kurir/contracts';
import type { OperationName } from '@kurir/contracts/dashboard';
import type { ResumeScope } from '@kurir/database/broadcasts';

/** The calls that change or use a broadcast. */
export type BroadcastCall = Extract<
  OperationName,
  | 'addBroadcastRecipients'
  | 'startBroadcast'
  | 'pauseBroadcast'
  | 'resumeBroadcast'
  | 'cancelBroadcast'
  | 'updateBroadcast'
  | 'testBroadcast'
>;

const url = '/api/v1/broadcasts/{broadcast_id}';
const newOne = 'Create a new broadcast.';

const advice: Readonly<Record<BroadcastState, string>> = {
  draft: `Fix its list with POST ${url}/check first, then start it.`,
  checking: `Its list is still read. Wait until GET ${url} shows the state ready.`,
  ready: `It has not started. POST ${url}/start starts it.`,
  scheduled: 'It starts by itself at its send_at.',
  running: 'Its messages go out already.',
  paused: `POST ${url}/resume lets it go on.`,
  finished: `POST ${url}/resume with the scope failed or unknown sends again. For other people, create a new broadcast.`,
  cancelled: `It cannot go on. ${newOne}`,
};

const fixed = 'Its list is fixed. Create a new broadcast for more people.';

const adviceOfCalls: Partial<Record<BroadcastCall, Partial<Record<BroadcastState, string>>>> = {
  addBroadcastRecipients: {
    checking: 'Its list is a file or contacts. Create a new broadcast for more people.',
    ready: fixed,
    scheduled: fixed,
    running: fixed,
    paused: fixed,
    finished: fixed,
  },
  cancelBroadcast: { finished: 'Nothing is left to cancel.' },
  updateBroadcast: { finished: `It has ended, so nothing of it changes. ${newOne}` },
  testBroadcast: { finished: `It has ended, so its text is not sent any more. ${newOne}` },
};

export const wrongState = (call: BroadcastCall, state: BroadcastState): ApiError =>
  new ApiError('BROADCAST_STATE', `The broadcast is ${state}. ${adviceOfCalls[call]?.[state] ?? advice[state]}`);

const nothing: Readonly<Record<ResumeScope, string>> = {
  pending: `No recipient would get a message. GET ${url}/recipients says why each one is skipped.`,
  failed: `No message of the broadcast failed, so nothing is sent again. GET ${url} counts its messages.`,
  unknown: `No message of the broadcast has an unknown outcome, so nothing is sent again. GET ${url} counts its messages.`,
};

export const nothingToSend = (scope: ResumeScope): ApiError => new ApiError('BROADCAST_STATE', nothing[scope]);
