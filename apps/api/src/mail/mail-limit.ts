/**
 * Limits the mails that strangers can send somebody through us, for all api processes together. A limit of the sender's
 * address does not: 25 senders would be 25 mails. Links of earlier mails stay valid, so a flood locks nobody out.
 */
import { createHash } from 'node:crypto';
import type { AttemptLimits } from '@kurir/queue';

/** Each kind counts for itself. */
export type LimitedMail = 'reset' | 'verification' | 'known address' | 'invitation' | 'new address';

export const mailsToOne = { max: 3, windowSeconds: 3_600 };

/** Mail servers deliver `name+anything@…` to `name@…`. */
const withoutTag = (address: string) =>
  address
    .trim()
    .toLowerCase()
    .replace(/\+[^@]*(?=@)/, '');

/** The address in keys of Redis. */
export const hashOfAddress = (address: string): string =>
  createHash('sha256').update(withoutTag(address), 'utf8').digest('base64url');

/** Counts one mail. Returns false if the person had too many of this kind. */
export async function mayMail(attempts: AttemptLimits, kind: LimitedMail, recipient: string): Promise<boolean> {
  const { allowed } = await attempts.take(`mail:${kind}:${hashOfAddress(recipient)}`, mailsToOne);
  return allowed;
}
