/**
 * What lies in Redis for a message: a turn of its lane. Ids, lane, order, expiry and a signature over them; no
 * text and no phone number. A job that was not made by us, or was changed, does not parse.
 */
import type { KeyObject } from 'node:crypto';
import { type DeviceId, isDeviceId, isMessageId, type MessageId } from '@kurir/contracts';
import { signJob, verifyJob } from '@kurir/signing';
import { z } from 'zod';

export type LaneJob = {
  readonly messageId: MessageId;
  readonly deviceId: DeviceId;
  /** 0 otp, 1 normal, 2 bulk. */
  readonly priority: number;
  readonly seq: bigint;
  readonly expiresAt: Date | null;
  readonly requestId: string;
};

const jobData = z.strictObject({
  m: z.string().refine(isMessageId),
  d: z.string().refine(isDeviceId),
  p: z.int().min(0).max(2),
  s: z.string().regex(/^[0-9]{1,19}$/),
  x: z.int().nullable(),
  r: z.string(),
  sig: z.string(),
});

export type LaneJobData = z.output<typeof jobData>;

/** Short names: a hundred thousand of these stand in memory. */
export function encodeLaneJob(job: LaneJob, internalKey: KeyObject): LaneJobData {
  const fields = {
    m: job.messageId,
    d: job.deviceId,
    p: job.priority,
    s: String(job.seq),
    x: job.expiresAt === null ? null : job.expiresAt.getTime(),
    r: job.requestId,
  };
  // Not behind a spread: docs/performance.md, hidden classes.
  return Object.assign(fields, { sig: signJob(fields, internalKey) });
}

/** The job, or null when it is not one of ours. */
export function decodeLaneJob(data: unknown, internalKey: KeyObject): LaneJob | null {
  const parsed = jobData.safeParse(data);
  if (!parsed.success) return null;
  const { sig, ...fields } = parsed.data;
  if (!verifyJob(fields, sig, internalKey)) return null;
  return {
    messageId: fields.m,
    deviceId: fields.d,
    priority: fields.p,
    seq: BigInt(fields.s),
    expiresAt: fields.x === null ? null : new Date(fields.x),
    requestId: fields.r,
  };
}
