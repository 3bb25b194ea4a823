export { checkTimestamp, requestWindow, type TimestampCheck, type TimestampWindow } from './check-timestamp.js';
export { decodeSignature } from './decode-signature.js';
export { keyIdOf, type Keys, parseKeys, showKeyId } from './keys.js';
export { type KeyMode, makeApiKeyId, makeApiSecret } from './make-api-key.js';
export { parseKey } from './parse-key.js';
export { open, seal } from './sealed-box.js';
export { openEnvelope, rewrapEnvelope, sealEnvelope } from './sealed-envelope.js';
export { type TicketFields, signTicket, verifyTicket } from './sign-ticket.js';
export { type PayloadToVerify, signPayload, verifyPayload } from './sign-payload.js';
export {
  type RequestToSign,
  type SignedHeaders,
  type SignedParts,
  sha256Hex,
  signRequest,
  stringToSign,
} from './sign-request.js';
export { type RequestToVerify, verifyRequestSignature } from './verify-request-signature.js';
export {
  makeWebhookSecret,
  signWebhook,
  verifyWebhook,
  type WebhookCheck,
  type WebhookHeaders,
  type WebhookToSign,
} from './webhooks.js';
