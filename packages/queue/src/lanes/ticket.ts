/**
 * What lies in Redis for a lane: "this device has work of this priority". Ids, priority and a signature over them; no
 * text and no phone number. Which message is sent the claim decides. A ticket that was not made by us, or was changed,
 * does not parse.
 */
import type { KeyObject } from 'node:crypto';
import { type DeviceId, isDeviceId, isMessageId, type MessageId } from '@kurir/contracts';
import { signJob, verifyJob } from '@kurir/signing';
import { z } from 'zod';

export type Ticket = {
  /** The message that the ticket was made for; its own id, too. */
  readonly messageId: MessageId;
  readonly deviceId: DeviceId;
  /** 0 otp, 1 normal, 2 bulk. */
  readonly priority: number;
  readonly requestId: string;
};

/** A ticket of an earlier version has further fields, which its signature covers. */
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

export function encodeTicket({ messageId, deviceId, priority, requestId }: Ticket, internalKey: KeyObject): TicketData {
  const fields = { m: messageId, d: deviceId, p: priority, r: requestId };
  return { ...fields, sig: signJob(fields, internalKey) };
}

/** The ticket, or null when it is not one of ours. */
export function decodeTicket(data: unknown, internalKey: KeyObject): Ticket | null {
  const parsed = ticketData.safeParse(data);
  if (!parsed.success) return null;
  const { sig, ...fields } = parsed.data;
  if (!verifyJob(fields, sig, internalKey)) return null;
  return { messageId: fields.m, deviceId: fields.d, priority: fields.p, requestId: fields.r };
}
