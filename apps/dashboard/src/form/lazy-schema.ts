/**
 * Checks a form with a schema that comes after the page: zod and the contract's schemas weigh as much as everything
 * else that a page needs at first. It is fetched once the form is shown, and waited for only by who is faster.
 */
import { useEffect, useMemo } from 'react';
import type { FieldErrors, FieldValues, Resolver } from 'react-hook-form';
import type { z } from 'zod';

type Checks<In extends FieldValues, Out> = Resolver<In, unknown, Out>;

async function checksOf<In extends FieldValues, Out>(
  load: () => Promise<z.ZodType<Out, In>>,
): Promise<Checks<In, Out>> {
  const [{ zodResolver }, schema] = await Promise.all([import('@hookform/resolvers/zod'), load()]);
  return zodResolver(schema);
}

/** `load` must stay the same function. A schema that does not come is the form's `root` error. */
export function useLazySchema<In extends FieldValues, Out>(load: () => Promise<z.ZodType<Out, In>>): Checks<In, Out> {
  useEffect(() => void checksOf(load).catch(() => undefined), [load]);
  return useMemo<Checks<In, Out>>(
    () =>
      async (...given) => {
        const checks = await checksOf(load).catch(() => null);
        if (checks !== null) return checks(...given);
        // `root` is a name in every form; what the fields are called is not known here.
        return { values: {}, errors: { root: { type: 'schema' } } as FieldErrors<In> };
      },
    [load],
  );
}
