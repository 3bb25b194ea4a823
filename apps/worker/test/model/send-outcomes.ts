/** The outcomes that the driver of the model returns for the network's answers. */
import type { SendOutcome } from '@kurir/network';
import type { Answer } from './network.js';

export const outcomeOf: Readonly<Record<Answer, SendOutcome>> = {
  ack: { kind: 'sent' },
  refused: { kind: 'not-sent', permanent: true, reason: 'rejected_by_network' },
  busy: { kind: 'not-sent', permanent: false, reason: 'temporarily_unavailable', retryAfterMs: 1_000 },
  silence: { kind: 'unknown', reason: 'no_answer' },
  reset: { kind: 'unknown', reason: 'connection_lost' },
};

export const nothingWritten: SendOutcome = {
  kind: 'not-sent',
  permanent: false,
  reason: 'temporarily_unavailable',
  retryAfterMs: 0,
};
