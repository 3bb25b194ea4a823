import { randomUUID } from 'node:crypto';

/** Gives a message or device that has none a `clientRef` of its own, so that a repeat of it can always be recognised. */
export function withClientRef<M extends { clientRef?: string | undefined }>(message: M): M & { clientRef: string } {
  return { ...message, clientRef: message.clientRef ?? `kc_${randomUUID()}` };
}
