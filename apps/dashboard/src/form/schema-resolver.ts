/** Checks a form with a schema of the contract. An error holds the broken rule, never a text of the validator. */
import { brokenRuleOf } from '@kurir/contracts/dashboard';
import type { FieldErrors, FieldValues, Resolver } from 'react-hook-form';
import type { z } from 'zod';
import { errorOfRule } from './field-sentence.js';

/** The first issue of a field counts. An issue of the form as a whole belongs to `root`. */
export function schemaResolver<In extends FieldValues, Out>(schema: z.ZodType<Out, In>): Resolver<In, unknown, Out> {
  return async (values) => {
    const { success, data, error } = await schema.safeParseAsync(values, { reportInput: true });
    if (success) return { values: data, errors: {} };
    const named = error.issues.map((issue) => [issue.path[0] ?? 'root', errorOfRule(brokenRuleOf(issue))] as const);
    // The paths of the issues are names of the form's fields, but the compiler does not know that.
    return { values: {}, errors: Object.fromEntries(named.toReversed()) as FieldErrors<In> };
  };
}
