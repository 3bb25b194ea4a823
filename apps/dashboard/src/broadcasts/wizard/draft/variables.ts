/** Matches the columns of a list with the variables of a text. */
import {
  keysOf,
  nameKey,
  type ParsedTemplate,
  parseTemplate,
  printParts,
  variablesOf,
} from '@kurir/contracts/dashboard';

const nameMaxLength = 64;

/** The name of a variable for a column: a name has only letters, digits, spaces and `_`. Null: nothing is left. */
export function variableOf(column: string): string | null {
  const name = column
    .replace(/[^\p{L}\p{M}\p{N} _]/gu, ' ')
    .replace(/\s+/g, ' ')
    .trim()
    .slice(0, nameMaxLength)
    .trim();
  return name === '' || name.toLowerCase() === 'pick' ? null : name;
}

export const snippetOf = (name: string, fallback: string | null): string =>
  printParts([{ kind: 'value', name, fallback }]);

export type Binding = {
  readonly name: string;
  readonly key: string;
  /** Somewhere the text has no fallback for it. */
  readonly required: boolean;
  /** Null: no column fills it. */
  readonly column: string | null;
  /** Somebody chose the column, or has to: no column has this name. */
  readonly isChosen: boolean;
};

type Columns = { readonly columns: readonly string[]; readonly columnOf: Readonly<Record<string, string>> };

export const bindingsOf = (template: ParsedTemplate, { columns, columnOf }: Columns): Binding[] =>
  variablesOf(template).map(({ name, required }) => {
    const key = nameKey(name);
    const [named] = keysOf(name).flatMap(
      (wanted) => columns.find((column) => nameKey(variableOf(column) ?? '') === wanted) ?? [],
    );
    const chosen = columns.find((column) => column === columnOf[key]);
    return { name, key, required, column: named ?? chosen ?? null, isChosen: named === undefined };
  });

/** The bindings of a text with its footer. None, if the text has a mistake. */
export function bindingsOfText(text: string, footer: string | null, columns: Columns): Binding[] {
  const parsing = parseTemplate(text, footer);
  return parsing.ok ? bindingsOf(parsing.template, columns) : [];
}

/** The values of one person, for the variables that have a column. */
export const valuesOf = (
  bindings: readonly Binding[],
  cells: Readonly<Record<string, string>>,
): Record<string, string> =>
  Object.fromEntries(
    bindings.flatMap(({ name, column }) => {
      const value = column === null ? undefined : cells[column];
      return value === undefined ? [] : [[name, value]];
    }),
  );
