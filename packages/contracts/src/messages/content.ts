/**
 * What a message carries. Each kind is one entry of `storedFields`: the fields that are stored of it. The drivers render a
 * content for their network; the compiler asks each of them for a new kind.
 */
import { z } from 'zod';

const storedFields = {
  text: z.object({ text: z.string() }),
};

export type ContentKind = keyof typeof storedFields;

export type Content = {
  [K in ContentKind]: { readonly kind: K } & Readonly<z.output<(typeof storedFields)[K]>>;
}[ContentKind];

const isKind = (kind: string): kind is ContentKind => Object.hasOwn(storedFields, kind);

export const textContent = (text: string): Content => ({ kind: 'text', text });

/** A content as it was stored; null for a kind or for fields that this version does not know. */
export function parseContent(kind: string, fields: unknown): Content | null {
  if (!isKind(kind)) return null;
  const schema: z.ZodType<object> = storedFields[kind];
  const parsed = schema.safeParse(fields);
  // The schema is that of the kind.
  return parsed.success ? ({ kind, ...parsed.data } as Content) : null;
}
