/** The use of each column of a file: the guess of the gateway, and the choice of a person. */
import { type DashboardBodyInput, type DashboardData, isAttributeKey, limits } from '@kurir/contracts/dashboard';

/** The fields of which a contact has one, then the others. */
const fields = ['phone', 'name', 'locale', 'time_zone'] as const;
export const uses = [...fields, 'attribute', 'skip'] as const;
export type Use = (typeof uses)[number];

type Field = (typeof fields)[number];
type File = NonNullable<DashboardData<'getUpload'>['file']>;
type Mapping = DashboardBodyInput<'createContactImport'>['mapping'];

export type Column = {
  readonly name: string;
  /** The place in a row. */
  readonly at: number;
  readonly use: Use;
  /** The name of the attribute that the column can become. Null: it has no possible name. */
  readonly key: string | null;
};

/** A name of an attribute without braces, bars and colons. */
export function keyOf(column: string): string | null {
  const key = column
    .replace(/[{}|:\p{Cc}]/gu, ' ')
    .replace(/\s+/g, ' ')
    .trim()
    .slice(0, limits.attributeKeyMaxLength)
    .trim();
  return isAttributeKey(key) ? key : null;
}

const isField = (use: Use): use is Field => fields.some((field) => field === use);

/** The columns of a file, without those that have no name or the name of an earlier one. */
export function columnsOf({ columns, mapping }: Pick<File, 'columns' | 'mapping'>): Column[] {
  const keys = new Set<string>();
  return columns.flatMap((name, at) => {
    if (name === '' || columns.indexOf(name) !== at) return [];
    const guess = fields.find((field) => mapping[field] === name);
    const key = keyOf(name);
    const mayBeKept = key !== null && !keys.has(key) && keys.size < limits.attributesMax;
    if (guess === undefined && mayBeKept) keys.add(key);
    return [{ name, at, key, use: guess ?? (mayBeKept ? 'attribute' : 'skip') }];
  });
}

/** Chooses the use of a column. A field that another column had goes to this one. */
export const chosen = (columns: readonly Column[], name: string, use: Use): Column[] =>
  columns.map((column) => {
    if (column.name === name) return { ...column, use };
    if (!isField(use) || column.use !== use) return column;
    return { ...column, use: column.key === null ? 'skip' : 'attribute' };
  });

export type Trouble = 'no_phone' | 'same_name' | 'too_many';

/** The mapping that the gateway takes, or why there is none yet. */
export function mappingOf(columns: readonly Column[]): Mapping | Trouble {
  const columnOf = (field: Field) => columns.find(({ use }) => use === field)?.name;
  const phone = columnOf('phone');
  if (phone === undefined) return 'no_phone';
  const kept = columns.flatMap(({ use, key, name }) =>
    use === 'attribute' && key !== null ? [[key, name] as const] : [],
  );
  if (kept.length > limits.attributesMax) return 'too_many';
  if (new Set(kept.map(([key]) => key)).size < kept.length) return 'same_name';
  const given = (['name', 'locale', 'time_zone'] as const).flatMap((field) => {
    const column = columnOf(field);
    return column === undefined ? [] : [[field, column] as const];
  });
  return {
    phone,
    ...Object.fromEntries(given),
    ...(kept.length === 0 ? {} : { attributes: Object.fromEntries(kept) }),
  };
}
