import type { ReadRequest } from './read-request.js';
import type { SignedParts } from './signing.js';

/** The values of the fields of the debugger. */
export type Draft = SignedParts & {
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
  version: '',
  deviceId: '',
  idempotencyKey: '',
  signature: '',
  yours: '',
  secret: '',
  apiKey: '',
};

/** Fills the fields with the parts of the pasted request. A field stays as it is if the request has no such part. */
export const filledFrom = (draft: Draft, read: ReadRequest): Draft => ({
  ...draft,
  ...Object.fromEntries(Object.entries(read).filter(([, value]) => value !== null)),
});
