/** WhatsApp's addresses. A person has two: one made of the phone number, and a LID that hides it. Neither leaves this package. */
import {
  isHostedLidUser,
  isHostedPnUser,
  isJidBroadcast,
  isJidGroup,
  isJidNewsletter,
  isLidUser,
  isPnUser,
  jidDecode,
} from 'baileys';

export function jidOfNumber(number: string): string {
  return `${number}@s.whatsapp.net`;
}

/** Digits of a phone number's address, whatever its device; null for a LID, a group or nonsense. */
export function numberOfJid(jid: string | null | undefined): string | null {
  return jid && isPnUser(jid) ? (jidDecode(jid)?.user ?? null) : null;
}

/** Also those who write through WhatsApp's own servers, as some businesses do. */
const PEOPLE = [isPnUser, isLidUser, isHostedPnUser, isHostedLidUser];

/** A person, not a group, a channel or a status list. */
export function isPerson(jid: string | undefined): jid is string {
  return jid !== undefined && PEOPLE.some((test) => test(jid) === true);
}

export function userOfJid(jid: string): string {
  return jidDecode(jid)?.user ?? jid;
}

/** Groups, broadcast lists, the status list and channels: nothing that this driver reads. */
export function isCrowd(jid: string): boolean {
  return [isJidGroup, isJidBroadcast, isJidNewsletter].some((test) => test(jid) === true);
}

export function isLid(jid: string): boolean {
  return isLidUser(jid) === true;
}

/** Device 0 of an account. */
export function isPhone(jid: string): boolean {
  return (jidDecode(jid)?.device ?? 0) === 0;
}
