/**
 * Checks a form with a schema that the browser loads after the page. Zod and the contract's schemas are as large as
 * all other code of a page. The load starts when the form is shown; a submit that comes earlier waits for it.
 */
import { useEffect, useMemo } from 'react';
import type { FieldErrors, FieldValues, Resolver } from 'react-hook-form';
import type { z } from 'zod';
import { schemaResolver } from './schema-resolver.js';

type Checks<In extends FieldValues, Out> = Resolver<In, unknown, Out>;

async function checksOf<In extends FieldValues, Out>(
  load: () => Promise<z.ZodType<Out, In>>,
): Promise<Checks<In, Out>> {
  return schemaResolver(await load());
}

/** `load` must stay the same function. If the schema fails to load, the form has a `root` error. */
export function useLazySchema<In extends FieldValues, Out>(load: () => Promise<z.ZodType<Out, In>>): Checks<In, Out> {
  useEffect(() => void checksOf(load).catch(() => undefined), [load]);
  return useMemo<Checks<In, Out>>(
    () =>
      async (...given) => {
        const checks = await checksOf(load).catch(() => null);
        if (checks !== null) return checks(...given);
        // Every form has the name `root`. The compiler does not know the names of the fields here.
        return { values: {}, errors: { root: { type: 'schema' } } as FieldErrors<In> };
      },
    [load],
  );
}
