/**
 * The content of a message. `storedFields` has one entry for each kind, with the fields that the database stores. Each
 * driver renders every kind for its network, and the compiler asks each driver for a new kind.
 */
import { z } from 'zod';

/** The message of the same chat that one of ours replies to. `text` is the part that the network shows of it. */
export type ReplyTo = {
  readonly networkMessageId: string;
  readonly writtenByUs: boolean;
  readonly text: string | null;
};

/** Each kind may answer another message. */
const answers = {
  replyTo: z
    .object({ networkMessageId: z.string(), writtenByUs: z.boolean(), text: z.string().nullable() })
    .optional() satisfies z.ZodType<ReplyTo | undefined>,
};

const storedFields = {
  text: z.object({ text: z.string(), ...answers }),
};

export type ContentKind = keyof typeof storedFields;

export type Content = {
  [K in ContentKind]: { readonly kind: K } & Readonly<z.output<(typeof storedFields)[K]>>;
}[ContentKind];

const isKind = (kind: string): kind is ContentKind => Object.hasOwn(storedFields, kind);

export const textContent = (text: string): Content => ({ kind: 'text', text });

/** Parses a stored content. Null: this version does not know the kind or the fields, because a newer one stored them. */
export function parseContent(kind: string, fields: unknown): Content | null {
  if (!isKind(kind)) return null;
  const schema: z.ZodType<object> = storedFields[kind];
  const parsed = schema.safeParse(fields);
  // The schema belongs to the kind.
  return parsed.success ? ({ kind, ...parsed.data } as Content) : null;
}
