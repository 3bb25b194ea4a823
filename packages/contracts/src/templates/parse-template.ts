/** Parses the text and the footer of a template. A parsed template can be rendered any number of times. */
import { type Part, scanTemplate, type TemplateProblem } from './scan-template.js';

export type ParsedTemplate = { readonly parts: readonly Part[] };

/** `at` is the index of the first wrong UTF-16 unit. */
export type TemplateError = {
  readonly field: 'text' | 'footer';
  readonly problem: TemplateProblem;
  readonly at: number;
};

export type TemplateParsing =
  | { readonly ok: true; readonly template: ParsedTemplate }
  | { readonly ok: false; readonly errors: readonly TemplateError[] };

/** The empty line between the text and the footer. */
const beforeFooter: Part = { kind: 'text', text: '\n\n' };

/** The footer is of the same language. Null or empty: none. */
export function parseTemplate(text: string, footer: string | null = null): TemplateParsing {
  const parts: Part[] = [];
  const errors: TemplateError[] = [];
  const read = (field: TemplateError['field'], written: string) => {
    for (const { part, problem, from } of scanTemplate(written))
      if (problem === null) parts.push(part);
      else errors.push({ field, problem, at: from });
  };
  read('text', text);
  if (footer !== null && footer !== '') {
    parts.push(beforeFooter);
    read('footer', footer);
  }
  return errors.length === 0 ? { ok: true, template: { parts } } : { ok: false, errors };
}

export type Variable = {
  /** As the template writes it first. Names that differ only in upper and lower case are one variable. */
  readonly name: string;
  /** Somewhere the template has no fallback for it. */
  readonly required: boolean;
};

/** The form in which names are compared. */
export const nameKey = (name: string): string => name.trim().replace(/\s+/g, ' ').normalize('NFC').toLowerCase();

/** The values that every contact has, in both languages of the product. */
const builtIn: readonly (readonly [string, string])[] = [
  ['name', 'nama'],
  ['phone', 'nomor'],
];

const otherWords: ReadonlyMap<string, string> = new Map(
  builtIn.flatMap(([one, two]) => [
    [one, two],
    [two, one],
  ]),
);

/** Returns under which keys to look for the value of a name. Its own key comes first, then its word in the other language. */
export function keysOf(name: string): readonly string[] {
  const key = nameKey(name);
  const other = otherWords.get(key);
  return other === undefined ? [key] : [key, other];
}

/** Returns the variables in the order of their first place. */
export function variablesOf({ parts }: ParsedTemplate): Variable[] {
  const found = new Map<string, Variable>();
  for (const part of parts) {
    if (part.kind !== 'value') continue;
    const key = nameKey(part.name);
    const before = found.get(key);
    const required = part.fallback === null || before?.required === true;
    found.set(key, { name: before?.name ?? part.name, required });
  }
  return [...found.values()];
}

/** The line and the character in it, both from 1, for people. Characters are code points. */
export function placeInText(text: string, at: number): { readonly line: number; readonly character: number } {
  const before = text.slice(0, at).split('\n');
  return { line: before.length, character: [...(before.at(-1) ?? '')].length + 1 };
}
