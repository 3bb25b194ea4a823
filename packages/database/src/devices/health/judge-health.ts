/** The word for the health of a number, and its reasons, from what the network said and from the counts of days. */
import { type HealthReason, healthFewest, type HealthWord, healthWords } from '@kurir/contracts';

export type HealthFacts = {
  /** The network closed the account, or banned it for some time. */
  readonly banned: boolean;
  /** The network forbids new contacts now. */
  readonly restricted: boolean;
  /** The network warns now, once or more often. */
  readonly warned: boolean;
  /** The counts of the recent days. */
  readonly sent: number;
  readonly failed: number;
  readonly refused: number;
  readonly unknown: number;
  readonly optedOut: number;
  /** Messages of the recent days that have had a day to arrive, and those that did. */
  readonly overSent: number;
  readonly overDelivered: number;
  /** The same for the days before. */
  readonly earlierSent: number;
  readonly earlierDelivered: number;
};

export type JudgedReason = {
  readonly reason: HealthReason;
  readonly level: Exclude<HealthWord, 'good'>;
  /** Null: the reason has no share. */
  readonly percent: number | null;
};

export type JudgedHealth = { readonly word: HealthWord; readonly reasons: readonly JudgedReason[] };

/** From these percentages on, a number is at risk. Half of one is enough to watch it. */
const atRisk = { failures: 20, opt_outs: 3, fewer_delivered: 25 } as const;

const percentOf = (part: number, whole: number) => (100 * part) / whole;
const rounded = (percent: number) => Math.round(percent * 10) / 10;

/** The reasons from counts, each with its percentage. Too few messages give none. */
function sharesOf(facts: HealthFacts): readonly [reason: keyof typeof atRisk, percent: number][] {
  const { sent, failed, refused, unknown, optedOut } = facts;
  const { overSent, overDelivered, earlierSent, earlierDelivered } = facts;
  const all = sent + failed + refused + unknown;
  const shares: [keyof typeof atRisk, number][] = [];
  if (all >= healthFewest) shares.push(['failures', percentOf(failed + refused, all)]);
  if (all >= healthFewest && sent > 0) shares.push(['opt_outs', percentOf(Math.min(optedOut, sent), sent)]);
  if (overSent >= healthFewest && earlierSent >= healthFewest)
    shares.push(['fewer_delivered', percentOf(earlierDelivered, earlierSent) - percentOf(overDelivered, overSent)]);
  return shares;
}

/** The word is that of the most serious reason. */
export function judgeHealth(facts: HealthFacts): JudgedHealth {
  const reasons: (JudgedReason & { readonly weight: number })[] = [];
  const told = (reason: HealthReason, level: JudgedReason['level'], weight: number) =>
    reasons.push({ reason, level, percent: null, weight });
  if (facts.banned) told('banned', 'restricted', 2);
  if (facts.restricted) told('network_restriction', 'restricted', 1);
  if (facts.warned) told('network_warning', 'watch', 1);
  for (const [reason, percent] of sharesOf(facts)) {
    const weight = percent / atRisk[reason];
    if (weight >= 0.5)
      reasons.push({ reason, level: weight >= 1 ? 'at_risk' : 'watch', percent: rounded(percent), weight });
  }
  const rank = ({ level }: JudgedReason) => healthWords.indexOf(level);
  reasons.sort((a, b) => rank(b) - rank(a) || b.weight - a.weight);
  return {
    word: reasons[0]?.level ?? 'good',
    reasons: reasons.map(({ reason, level, percent }) => ({ reason, level, percent })),
  };
}
