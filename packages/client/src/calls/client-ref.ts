import { randomUUID } from 'node:crypto';

/** Adds a `clientRef` if the message or device has none, so that the gateway recognises a repeat. */
export function withClientRef<M extends { clientRef?: string | undefined }>(message: M): M & { clientRef: string } {
  return { ...message, clientRef: message.clientRef ?? `kc_${randomUUID()}` };
}
