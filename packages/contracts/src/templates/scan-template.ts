/**
 * The language of templates. `{{name}}` takes a value of the recipient, and `{{name|Kak}}` has a fallback.
 * `{{pick:Halo|Hai}}` is one of its options. A backslash before `{`, `}`, `|` or a backslash makes it plain text. Within
 * a placeholder, spaces at the ends of a name, a fallback or an option are dropped, unless a backslash stands before
 * them. Nothing nests. The scanner reads each character once, whatever the text is.
 */

export type Part =
  | { readonly kind: 'text'; readonly text: string }
  /** `fallback` null: the value is required. */
  | { readonly kind: 'value'; readonly name: string; readonly fallback: string | null }
  | { readonly kind: 'pick'; readonly options: readonly string[] };

export const templateProblems = {
  unclosed: '{{ has no }} before the end of the text or the next {{',
  unopened: '}} has no {{ before it; write \\}} for the characters themselves',
  no_name: '{{ and }} have no name between them',
  bad_name: 'a name has at most 64 letters, digits, spaces and _; for a choice write {{pick:one|two}}',
  many_fallbacks: 'a value has one fallback; for a choice write {{pick:one|two}}',
  no_colon: 'pick needs a colon: {{pick:one|two}}',
  one_option: 'pick needs at least two options: {{pick:one|two}}',
} as const;

export type TemplateProblem = keyof typeof templateProblems;

/** The characters of the text from `from` to before `to`, as UTF-16 units, and what they mean. */
export type Piece = { readonly from: number; readonly to: number } & (
  | { readonly part: Part; readonly problem: null }
  | { readonly part: null; readonly problem: TemplateProblem }
);

const nameMaxLength = 64;
const isNameText = /^[\p{L}\p{M}\p{N}_ ]+$/u;
const pickHead = /\s*pick\s*:/iy;

const isSpace = (char: string) => char.trim() === '';
const isEscapable = (char: string | undefined) => char === '{' || char === '}' || char === '|' || char === '\\';

function readText(text: string, from: number): Piece {
  let value = '';
  let at = from;
  while (at < text.length && !text.startsWith('{{', at) && !text.startsWith('}}', at)) {
    if (text[at] === '\\' && isEscapable(text[at + 1])) at++;
    value += text.charAt(at++);
  }
  return { from, to: at, part: { kind: 'text', text: value }, problem: null };
}

type Fields = { readonly fields: readonly string[]; readonly to: number; readonly closed: boolean };

/** Reads what `|` separates, up to `}}`. Without `}}` it ends before the next `{{` or at the end. */
function readFields(text: string, from: number): Fields {
  const fields: string[] = [];
  let field = '';
  let kept = 0;
  let at = from;
  for (; at < text.length && !text.startsWith('{{', at); at++) {
    const char = text.charAt(at);
    const next = text.charAt(at + 1);
    if (char === '|' || text.startsWith('}}', at)) {
      fields.push(field.slice(0, kept));
      if (char === '}') return { fields, to: at + 2, closed: true };
      field = '';
      kept = 0;
    } else if (char === '\\' && next !== '' && (isEscapable(next) || isSpace(next))) {
      field += next;
      kept = field.length;
      at++;
    } else if (!isSpace(char)) {
      field += char;
      kept = field.length;
    } else if (field !== '') field += char;
  }
  return { fields, to: at, closed: false };
}

function readValue([written = '', fallback = null, ...more]: readonly (string | null)[]): Part | TemplateProblem {
  const name = (written ?? '').replace(/\s+/g, ' ');
  if (name === '') return 'no_name';
  if (name.toLowerCase() === 'pick') return 'no_colon';
  if (name.length > nameMaxLength || !isNameText.test(name)) return 'bad_name';
  return more.length > 0 ? 'many_fallbacks' : { kind: 'value', name, fallback };
}

const readPick = (options: readonly string[]): Part | TemplateProblem =>
  options.length < 2 ? 'one_option' : { kind: 'pick', options };

function readPlaceholder(text: string, from: number): Piece {
  pickHead.lastIndex = from + 2;
  const isPick = pickHead.test(text);
  const { fields, to, closed } = readFields(text, isPick ? pickHead.lastIndex : from + 2);
  const read = closed ? (isPick ? readPick(fields) : readValue(fields)) : 'unclosed';
  return typeof read === 'string' ? { from, to, part: null, problem: read } : { from, to, part: read, problem: null };
}

/** Returns the pieces of the text in order, without gaps. A piece with a problem does not stop the scanner. */
export function scanTemplate(text: string): Piece[] {
  const pieces: Piece[] = [];
  for (let at = 0; at < text.length; at = pieces.at(-1)?.to ?? text.length) {
    if (text.startsWith('{{', at)) pieces.push(readPlaceholder(text, at));
    else if (text.startsWith('}}', at)) pieces.push({ from: at, to: at + 2, part: null, problem: 'unopened' });
    else pieces.push(readText(text, at));
  }
  return pieces;
}

const escaped = (text: string) => text.replace(/[\\{}|]/g, '\\$&');
const escapedSpace = (char: string) => (char !== '' && isSpace(char) ? '\\' : '') + escaped(char);

/** Keeps spaces at the ends. */
function escapedField(text: string): string {
  if (text.length < 2) return escapedSpace(text);
  return escapedSpace(text.charAt(0)) + escaped(text.slice(1, -1)) + escapedSpace(text.slice(-1));
}

function printPart(part: Part): string {
  if (part.kind === 'text') return part.text.replace(/[\\{}]/g, '\\$&');
  if (part.kind === 'pick') return `{{pick:${part.options.map(escapedField).join('|')}}}`;
  return part.fallback === null ? `{{${part.name}}}` : `{{${part.name}|${escapedField(part.fallback)}}}`;
}

/** Writes parts as a text that parses to the same parts. */
export const printParts = (parts: readonly Part[]): string => parts.map(printPart).join('');
