/** The rules of a broadcast as a form has them: its hours, its most messages a person, and its guards. */
import { type DashboardBodyInput, limits } from '@kurir/contracts/dashboard';
import type { Category } from '../category-texts.js';
import type { Broadcast } from '../figures.js';

export const hoursKinds = ['usual', 'any', 'own'] as const;
export type HoursKind = (typeof hoursKinds)[number];

export type Rules = {
  /** Null: the usual hours for promotions, and any hour for the rest. */
  readonly hours: HoursKind | null;
  readonly from: string;
  readonly to: string;
  readonly zone: 'recipient' | 'account';
  /** Empty: nobody is left out. */
  readonly maxPerDay: string;
  /** Null: the guard is off. */
  readonly failed: string | null;
  readonly optedOut: string | null;
};

/** The gateway has the same ones for a broadcast that names none. */
export const usualHours = { from: '08:00', to: '21:00', zone: 'recipient' } as const;
export const usualRules: Rules = { hours: null, ...usualHours, maxPerDay: '1', failed: '20', optedOut: '3' };

type Window = NonNullable<Broadcast['window']>;
export type RuleFields = Pick<Broadcast, 'window' | 'max_per_person_a_day' | 'guards'>;
type RuleBody = Pick<DashboardBodyInput<'updateBroadcast'>, 'window' | 'max_per_person_a_day' | 'guards'>;

const minutesOf = (clock: string): number => {
  const [hours = 0, minutes = 0] = clock.split(':').map(Number);
  return hours * 60 + minutes;
};

/** Whether the hours are long enough for the gateway. */
export const areLongEnough = (from: string, to: string): boolean =>
  minutesOf(to) - minutesOf(from) >= limits.windowMinMinutes;

/** The kind of hours that the form shows. The rest has no usual hours. */
export function kindOf({ hours }: Rules, category: Category): HoursKind {
  if (category === 'marketing') return hours ?? 'usual';
  return hours === 'own' ? 'own' : 'any';
}

function windowOf(rules: Rules, category: Category): Window | null {
  const kind = kindOf(rules, category);
  if (kind === 'any') return null;
  return kind === 'usual' ? usualHours : { from: rules.from, to: rules.to, zone: rules.zone };
}

/** Reads a whole number that somebody typed. Undefined: it is not from 1 to `most`. */
export function readWhole(text: string, most: number): number | undefined {
  const value = Number(text);
  return text.trim() !== '' && Number.isInteger(value) && value >= 1 && value <= most ? value : undefined;
}

export const readMaxPerDay = (text: string): number | null | undefined =>
  text.trim() === '' ? null : readWhole(text, limits.maxPerPersonADay);

export const readPercent = (text: string | null): number | null | undefined =>
  text === null ? null : readWhole(text, 100);

/** The rules as the gateway has them. Null: a field is wrong. */
export function ruleFieldsOf(rules: Rules, category: Category): RuleFields | null {
  const [most, failed, optedOut] = [
    readMaxPerDay(rules.maxPerDay),
    readPercent(rules.failed),
    readPercent(rules.optedOut),
  ];
  const window = windowOf(rules, category);
  if (most === undefined || failed === undefined || optedOut === undefined) return null;
  if (window !== null && !areLongEnough(window.from, window.to)) return null;
  return { window, max_per_person_a_day: most, guards: { failed_percent: failed, opted_out_percent: optedOut } };
}

export const isSameWindow = (one: Window | null, other: Window | null): boolean =>
  one?.from === other?.from && one?.to === other?.to && one?.zone === other?.zone;

/** Promotions may reach people at night, so somebody must confirm it. */
export const mayBeAtNight = (category: Category, window: Window | null): boolean =>
  category === 'marketing' &&
  (window === null ||
    minutesOf(window.from) < minutesOf(usualHours.from) ||
    minutesOf(window.to) > minutesOf(usualHours.to));

/** The form for a broadcast that the gateway has. */
export function rulesOfBroadcast(broadcast: RuleFields & Pick<Broadcast, 'category'>): Rules {
  const { window, max_per_person_a_day: most, guards, category } = broadcast;
  const isUsual = category === 'marketing' && isSameWindow(window, usualHours);
  return {
    hours: window === null ? 'any' : isUsual ? 'usual' : 'own',
    ...(window ?? usualHours),
    maxPerDay: most?.toString() ?? '',
    failed: guards.failed_percent?.toString() ?? null,
    optedOut: guards.opted_out_percent?.toString() ?? null,
  };
}

/** Only what differs: new hours move all messages that wait. */
export function changedRules(next: RuleFields, { window, max_per_person_a_day: most, guards }: RuleFields): RuleBody {
  const isSameGuards =
    next.guards.failed_percent === guards.failed_percent && next.guards.opted_out_percent === guards.opted_out_percent;
  return {
    ...(isSameWindow(next.window, window) ? {} : { window: next.window }),
    ...(next.max_per_person_a_day === most ? {} : { max_per_person_a_day: next.max_per_person_a_day }),
    ...(isSameGuards ? {} : { guards: next.guards }),
  };
}
