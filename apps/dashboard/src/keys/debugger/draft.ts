import type { ReadRequest } from './read-request.js';

/** What stands in the fields. */
export type Draft = {
  method: string;
  target: string;
  timestamp: string;
  body: string;
  signature: string;
  yours: string;
  secret: string;
  apiKey: string;
};

export const emptyDraft: Draft = {
  method: 'POST',
  target: '/api/v1/messages/send',
  timestamp: '',
  body: '',
  signature: '',
  yours: '',
  secret: '',
  apiKey: '',
};

/** What the pasted request says goes into the fields; what it does not say stays. */
export const filledFrom = (draft: Draft, read: ReadRequest): Draft => ({
  ...draft,
  ...Object.fromEntries(Object.entries(read).filter(([, value]) => value !== null)),
});
