/** Writes a value in the notation of a language, on one line if it is short. */

export type Notation = {
  readonly nothing: string;
  readonly yes: string;
  readonly no: string;
  readonly list: readonly [open: string, close: string];
  readonly record: readonly [open: string, close: string];
  text(value: string): string;
  /** One entry of a record. */
  entry(key: string, value: string): string;
  readonly indent: string;
};

const lineWidth = 72;

export function writeValue(value: unknown, notation: Notation, depth = 0): string {
  if (value === null) return notation.nothing;
  if (typeof value === 'boolean') return value ? notation.yes : notation.no;
  if (typeof value === 'number') return String(value);
  if (typeof value === 'string') return notation.text(value);
  if (Array.isArray(value)) {
    return wrap(notation.list, { parts: value.map((item) => writeValue(item, notation, depth + 1)), notation, depth });
  }
  const entries = Object.entries(value as Record<string, unknown>);
  const parts = entries.map(([key, item]) => notation.entry(key, writeValue(item, notation, depth + 1)));
  return wrap(notation.record, { parts, notation, depth });
}

type Parts = { readonly parts: readonly string[]; readonly notation: Notation; readonly depth: number };

function wrap([open, close]: readonly [string, string], { parts, notation, depth }: Parts): string {
  if (parts.length === 0) return open.trimEnd() + close.trimStart();
  const line = open + parts.join(', ') + close;
  if (line.length + depth * notation.indent.length <= lineWidth && !line.includes('\n')) return line;
  const inner = notation.indent.repeat(depth + 1);
  const lines = parts.map((part) => `${inner}${part},\n`).join('');
  return `${open.trimEnd()}\n${lines}${notation.indent.repeat(depth)}${close.trimStart()}`;
}

const singleQuoted = (text: string) => `'${text.replace(/[\\']/g, '\\$&')}'`;
const isName = (key: string) => /^[A-Za-z_]\w*$/.test(key);

export const typescriptNotation: Notation = {
  nothing: 'null',
  yes: 'true',
  no: 'false',
  list: ['[', ']'],
  record: ['{ ', ' }'],
  text: singleQuoted,
  entry: (key, value) => `${isName(key) ? key : singleQuoted(key)}: ${value}`,
  indent: '  ',
};

export const pythonNotation: Notation = {
  nothing: 'None',
  yes: 'True',
  no: 'False',
  list: ['[', ']'],
  record: ['{', '}'],
  text: (text) => JSON.stringify(text),
  entry: (key, value) => `${JSON.stringify(key)}: ${value}`,
  indent: '    ',
};

export const phpNotation: Notation = {
  nothing: 'null',
  yes: 'true',
  no: 'false',
  list: ['[', ']'],
  record: ['[', ']'],
  text: singleQuoted,
  entry: (key, value) => `${singleQuoted(key)} => ${value}`,
  indent: '    ',
};
