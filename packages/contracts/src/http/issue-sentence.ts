/** The sentences about a wrong field for which its schema has none. They take the place of the validator's own texts. */
import type { z } from 'zod';
import { unitOf } from './field-rules.js';

type Raw = z.core.$ZodRawIssue;

const nouns: Partial<Record<string, string>> = {
  string: 'must be a string',
  number: 'must be a number',
  int: 'must be a whole number',
  boolean: 'must be true or false',
  array: 'must be an array',
  object: 'must be an object',
  record: 'must be an object',
  null: 'must be null',
};

const formats: Partial<Record<string, string>> = {
  email: 'must be an email address',
  url: 'must be a URL',
  datetime: 'must be an ISO 8601 time, like 2026-11-21T09:00:00Z',
  date: 'must be a date, like 2026-11-21',
  time: 'must be a time of day, like 09:00',
  uuid: 'must be a UUID',
  ipv4: 'must be an IPv4 address',
  ipv6: 'must be an IPv6 address',
  cidrv4: 'must be an IPv4 range, like 192.0.2.0/24',
  cidrv6: 'must be an IPv6 range, like 2001:db8::/32',
};

/** A longer list of values stands only in the reference. */
const maxNamedValues = 24;

function choice(values: readonly unknown[]): string {
  const named = values.map(String);
  if (named.length === 1) return `must be ${named[0]}`;
  return named.length > maxNamedValues
    ? 'must be one of the values that the reference lists'
    : `must be one of ${named.join(', ')}`;
}

type Bound = {
  readonly origin: string;
  readonly inclusive?: boolean | undefined;
  readonly exact?: boolean | undefined;
};

const many = (count: number, thing: string) => `${count} ${thing}${count === 1 ? '' : 's'}`;

function bound({ origin, inclusive, exact }: Bound, limit: number, words: { size: string; beyond: string }): string {
  const unit = unitOf(origin);
  const size = exact === true ? 'exactly' : words.size;
  if (unit === 'amount') return inclusive === false ? `must be ${words.beyond} ${limit}` : `must be ${size} ${limit}`;
  if (words.size === 'at least' && limit === 1 && exact !== true) return 'must not be empty';
  return `must have ${size} ${many(limit, unit === 'text' ? 'character' : 'item')}`;
}

/** Returns a sentence without its end and without the name of the field. It never holds the value of the field. */
export function issueSentence(issue: Raw): string {
  switch (issue.code) {
    case 'invalid_type':
      return nouns[issue.expected] ?? 'must be of another type';
    case 'invalid_value':
      return choice(issue.values);
    case 'too_small':
      return bound(issue, Number(issue.minimum), { size: 'at least', beyond: 'more than' });
    case 'too_big':
      return bound(issue, Number(issue.maximum), { size: 'at most', beyond: 'less than' });
    case 'invalid_format':
      return formats[issue.format] ?? 'must have the format that the reference shows';
    case 'invalid_key':
      return 'is a name that is not allowed here';
    case 'not_multiple_of':
      return `must be a multiple of ${issue.divisor}`;
    case 'invalid_union':
      return 'must have one of the forms that the reference shows';
    default:
      return 'must be as the reference shows';
  }
}
