/** The kinds of notices: what people hear about without looking. */
import type { MemberRole } from '../http/access.js';

type KindFacts = {
  /** The role from which a member gets the notice. */
  readonly role: MemberRole;
  /** It is about the security of the account, so nobody can switch it off. */
  readonly always?: true;
  /** Many may come at once, so the mail waits for more, and one mail tells them together. */
  readonly gathers?: true;
};

export const noticeKinds = {
  'device.linked': { role: 'owner', always: true },
  'device.disconnected': { role: 'developer', gathers: true },
  'device.restricted': { role: 'developer', gathers: true },
  'device.banned': { role: 'developer', gathers: true },
  'quota.low': { role: 'owner' },
  'quota.exhausted': { role: 'owner' },
  'plan.expiring': { role: 'owner' },
  'renewal.paid': { role: 'owner' },
  'member.joined': { role: 'owner' },
  'broadcast.finished': { role: 'developer' },
  'webhook.failing': { role: 'developer', gathers: true },
  'webhook.disabled': { role: 'developer', gathers: true },
} as const satisfies Record<`${string}.${string}`, KindFacts>;

export type NoticeKind = keyof typeof noticeKinds;

// The record has exactly these keys; Object.keys only knows `string`.
export const noticeKindNames = Object.keys(noticeKinds) as [NoticeKind, ...NoticeKind[]];

export const factsOfNotice = (kind: NoticeKind): KindFacts => noticeKinds[kind];

/** A person hears of a device that is away for longer than this. */
export const awayMinutes = 5;
