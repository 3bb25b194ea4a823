/**
 * WhatsApp's addresses (JIDs). A person has two: one made of the phone number, and a LID, which hides the number.
 * Neither leaves this package; `userIdOfLid`
 * makes an id of the LID.
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

export function jidOfGroup(id: string): string {
  return `${id}@g.us`;
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

/** The digits of a person's phone number, or null. */
export function digitsOfPerson(jid: string | null | undefined): string | null {
  const isByNumber = isPnUser(jid ?? undefined) === true || isHostedPnUser(jid ?? undefined) === true;
  return isByNumber ? digitsIn(jid) : null;
}

/** The digits of a person's LID, or null. */
export function lidUserOf(jid: string | null | undefined): string | null {
  const isByLid = isLidUser(jid ?? undefined) === true || isHostedLidUser(jid ?? undefined) === true;
  return isByLid ? digitsIn(jid) : null;
}

function digitsIn(jid: string | null | undefined): string | null {
  const user = jid ? (jidDecode(jid)?.user ?? '') : '';
  return /^\d{1,30}$/.test(user) ? user : null;
}

const USER_ID_PREFIX = 'lid:';

/** The id of a person outside this package. Without the prefix it would look like a phone number. */
export function userIdOfLid(user: string): string {
  return `${USER_ID_PREFIX}${user}`;
}

/** The address of the person with this id, or null when it is a phone number. */
export function lidOfUserId(userId: string): string | null {
  return userId.startsWith(USER_ID_PREFIX) ? `${userId.slice(USER_ID_PREFIX.length)}@lid` : null;
}

export function userOfJid(jid: string): string {
  return jidDecode(jid)?.user ?? jid;
}

export function isGroup(jid: string | undefined): jid is string {
  return isJidGroup(jid) === true;
}

/** Groups, broadcast lists, the status list and channels. This driver reads only groups, and only if it is asked to. */
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
