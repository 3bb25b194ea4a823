/** The rules that a field can break. The gateway names one to a page, and the page has a sentence for each. */
import type { z } from 'zod';

export const fieldRules = [
  'required',
  'unknown',
  'type',
  'whole_number',
  'choice',
  'too_short',
  'too_long',
  'too_low',
  'too_high',
  'too_few',
  'too_many',
  'too_far',
  'past',
  'mismatch',
  'not_public',
  'format',
  'email',
  'address',
  'characters',
  'phone_number',
  'other',
] as const;

export type FieldRule = (typeof fieldRules)[number];

/** The field as a path like `messages[3].phone_destination`, and the bound of a rule that has one. */
export type FieldFault = { readonly field: string; readonly rule: FieldRule; readonly limit?: number };

/** A schema names the rule of its own check with these `params`. */
export const brokenRule = (rule: FieldRule, limit?: number) => (limit === undefined ? { rule } : { rule, limit });

/** The header of an answer about a wrong field. The body of such an answer names the field only in its sentence. */
export const invalidFieldHeader = 'X-Invalid-Field';

type Issue = z.core.$ZodIssue;
type Broken = Omit<FieldFault, 'field'>;

const isFieldRule = (word: unknown): word is FieldRule => fieldRules.some((rule) => rule === word);

const formats: Partial<Record<string, FieldRule>> = { email: 'email', url: 'address' };

const units = {
  text: { small: 'too_short', big: 'too_long' },
  list: { small: 'too_few', big: 'too_many' },
  amount: { small: 'too_low', big: 'too_high' },
} as const satisfies Record<string, Record<'small' | 'big', FieldRule>>;

export function unitOf(origin: string): keyof typeof units {
  if (origin === 'string') return 'text';
  return ['array', 'set', 'map', 'object', 'file'].includes(origin) ? 'list' : 'amount';
}

function ownRule(params: Record<string, unknown> = {}): Broken {
  const { code, rule, limit } = params;
  if (code === 'INVALID_PHONE_NUMBER') return { rule: 'phone_number' };
  if (!isFieldRule(rule)) return { rule: 'other' };
  return typeof limit === 'number' ? { rule, limit } : { rule };
}

/** Returns the broken rule of an issue. The schema must have parsed with `reportInput`, which shows a missing field. */
export function brokenRuleOf(issue: Issue): Broken {
  switch (issue.code) {
    case 'invalid_type':
      if (issue.input === undefined) return { rule: 'required' };
      return { rule: issue.expected === 'int' ? 'whole_number' : 'type' };
    case 'invalid_value':
      return { rule: issue.input === undefined ? 'required' : 'choice' };
    case 'too_small':
      return { rule: units[unitOf(issue.origin)].small, limit: Number(issue.minimum) };
    case 'too_big':
      return { rule: units[unitOf(issue.origin)].big, limit: Number(issue.maximum) };
    case 'invalid_format':
      return { rule: formats[issue.format] ?? 'format' };
    case 'unrecognized_keys':
      return { rule: 'unknown' };
    case 'custom':
      return ownRule(issue.params);
    default:
      return { rule: 'other' };
  }
}

/** A name in the path may come from the caller and be as long as the body. */
const maxFieldLength = 120;

/** The value of the header `X-Invalid-Field`, such as `field=ttl_seconds&rule=too_high&limit=86400`. */
export function writeFault({ field, rule, limit }: FieldFault): string {
  const bound = limit === undefined ? {} : { limit: String(limit) };
  return new URLSearchParams({ field: field.slice(0, maxFieldLength), rule, ...bound }).toString();
}

/** Reads the header. Returns null if it is absent or names no known rule. */
export function readFault(header: string | null): FieldFault | null {
  if (header === null) return null;
  const given = new URLSearchParams(header);
  const rule = given.get('rule');
  if (!isFieldRule(rule)) return null;
  const limit = Number(given.get('limit') ?? Number.NaN);
  return { field: given.get('field') ?? '', rule, ...(Number.isFinite(limit) ? { limit } : {}) };
}
