/**
 * WhatsApp's addresses (JIDs). A person has two: one made of the phone number, and a LID, which hides the number.
 * Neither leaves this package.
 */
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

/** The digits of a phone number's address, for any of its devices. Null for a LID, a group or an invalid address. */
export function numberOfJid(jid: string | null | undefined): string | null {
  return jid && isPnUser(jid) ? (jidDecode(jid)?.user ?? null) : null;
}

/** Also accounts that WhatsApp's own servers host, which some businesses have. */
const PEOPLE = [isPnUser, isLidUser, isHostedPnUser, isHostedLidUser];

/** Whether the address is a person, not a group, a channel or a status list. */
export function isPerson(jid: string | undefined): jid is string {
  return jid !== undefined && PEOPLE.some((test) => test(jid) === true);
}

export function userOfJid(jid: string): string {
  return jidDecode(jid)?.user ?? jid;
}

/** Groups, broadcast lists, the status list and channels. This driver reads none of them. */
export function isCrowd(jid: string): boolean {
  return [isJidGroup, isJidBroadcast, isJidNewsletter].some((test) => test(jid) === true);
}

export function isLid(jid: string): boolean {
  return isLidUser(jid) === true;
}

/** The phone is device 0 of its account. */
export function isPhone(jid: string): boolean {
  return (jidDecode(jid)?.device ?? 0) === 0;
}
