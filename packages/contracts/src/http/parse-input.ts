import type { z } from 'zod';
import { ApiError, type ErrorCode } from './errors.js';
import { brokenRuleOf, type FieldFault } from './field-rules.js';
import { issueSentence } from './issue-sentence.js';
import { suggestField } from './suggest-field.js';

type Issue = z.core.$ZodIssue;

/** `messages[3].phone_destination`, or `whole` for an empty path. */
function nameOf(path: readonly PropertyKey[], whole: string): string {
  if (path.length === 0) return whole;
  return path
    .map((part, i) => (typeof part === 'number' ? `[${part}]` : `${i > 0 ? '.' : ''}${String(part)}`))
    .join('');
}

/** A body may hold thousands of unknown fields. The error names only the first. */
const maxNamedFields = 3;

function describe(issue: Issue, whole: string, schema: z.ZodType): string {
  if (issue.code === 'unrecognized_keys') {
    const shown = issue.keys.slice(0, maxNamedFields);
    const named = shown.map((key) => JSON.stringify(key.slice(0, 64))).join(', ');
    const meant = new Set(shown.flatMap((key) => suggestField(schema, issue.path, key) ?? []));
    const advice =
      meant.size === 0 ? 'Remove it or check its spelling.' : `Perhaps you mean ${[...meant].join(' and ')}.`;
    return `Unknown field ${named}. ${advice}`;
  }
  const isMissing = issue.code !== 'custom' && issue.path.length > 0 && brokenRuleOf(issue).rule === 'required';
  return `${nameOf(issue.path, whole)}: ${isMissing ? 'is required' : issue.message}.`;
}

const faultOf = (issue: Issue): FieldFault => ({ field: nameOf(issue.path, ''), ...brokenRuleOf(issue) });

function codeOf(issue: Issue): ErrorCode {
  return issue.code === 'custom' && issue.params?.['code'] === 'INVALID_PHONE_NUMBER'
    ? 'INVALID_PHONE_NUMBER'
    : 'INVALID_REQUEST';
}

/**
 * Parses untrusted input, once and at the edge. Throws an ApiError (422) that names the first wrong field, never its value. Its
 * sentence comes from the schema or from `issueSentence`, never from the validator.
 */
export function parseInput<S extends z.ZodType>(schema: S, input: unknown, whole = 'the body'): z.output<S> {
  const result = schema.safeParse(input, { reportInput: true, error: issueSentence });
  if (result.success) return result.data;
  const [issue] = result.error.issues;
  if (issue === undefined) throw new ApiError('INVALID_REQUEST', `${whole} is invalid.`);
  throw new ApiError(codeOf(issue), describe(issue, whole, schema), { fault: faultOf(issue) });
}
