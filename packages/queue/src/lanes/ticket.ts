/**
 * A ticket in Redis says: "this device has work of this priority". It contains ids, the priority and a signature. It
 * contains no text and no phone number. The claim decides which message is sent. A forged or changed ticket does not
 * parse.
 */
import { type DeviceId, isDeviceId, isMessageId, type MessageId } from '@kurir/contracts';
import { type Keys, signTicket, verifyTicket } from '@kurir/signing';
import { z } from 'zod';

export type Ticket = {
  /** The message that the ticket was made for. */
  readonly messageId: MessageId;
  readonly deviceId: DeviceId;
  /** 0 one-time code, 1 normal, 2 bulk. */
  readonly priority: number;
  readonly requestId: string;
};

/** A ticket of an earlier version has more fields. Its signature covers them. */
const ticketData = z
  .object({
    m: z.string().refine(isMessageId),
    d: z.string().refine(isDeviceId),
    p: z.int().min(0).max(2),
    r: z.string(),
    sig: z.string(),
  })
  .catchall(z.union([z.string(), z.number(), z.null()]));

export type TicketData = Record<'m' | 'd' | 'r' | 'sig', string> & { readonly p: number };

export function encodeTicket({ messageId, deviceId, priority, requestId }: Ticket, internalKeys: Keys): TicketData {
  const fields = { m: messageId, d: deviceId, p: priority, r: requestId };
  return { ...fields, sig: signTicket(fields, internalKeys[0]) };
}

/** Returns the ticket, or null if this installation did not make it. */
export function decodeTicket(data: unknown, internalKeys: Keys): Ticket | null {
  const parsed = ticketData.safeParse(data);
  if (!parsed.success) return null;
  const { sig, ...fields } = parsed.data;
  if (!verifyTicket(fields, sig, internalKeys)) return null;
  return { messageId: fields.m, deviceId: fields.d, priority: fields.p, requestId: fields.r };
}
