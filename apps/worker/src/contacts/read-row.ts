/** Turns a row of a file into a contact, or says why it cannot. The same row gives the same result at every reading. */
import { canonicalLocale, isStorableText, isTimeZone, limits, type RefusalWord } from '@kurir/contracts';
import type { ImportedContact, ImportMapping, Refusal } from '@kurir/database/contacts';
import { parsePhone, type PhoneReason } from '@kurir/phone-numbers';
import type { FileRow, RowProblem } from '@kurir/row-files';

export type ReadRow = (row: FileRow) => ImportedContact | Refusal;

type RefusalCode = RefusalWord | PhoneReason | RowProblem;

export const refuse = (
  row: number,
  code: RefusalCode,
  {
    column = null,
    value = '',
    phone = null,
    sameAsRow = null,
  }: Partial<Pick<Refusal, 'column' | 'value' | 'phone' | 'sameAsRow'>> = {},
): Refusal => ({
  row,
  column,
  // Postgres can store neither U+0000 nor half a character.
  value: value
    .slice(0, limits.refusedValueMaxLength)
    .replaceAll('\u0000', '\ufffd')
    .replace(/\p{Surrogate}/gu, '\ufffd'),
  code,
  phone,
  sameAsRow,
});

/** The decoder writes U+FFFD where bytes are no text of the file's encoding. */
const isReadable = (text: string) => !text.includes('\ufffd') && isStorableText(text);

/** Files name few languages and zones, and checking one is slow. */
function remember<T>(check: (text: string) => T): (text: string) => T {
  const known = new Map<string, T>();
  return (text) => {
    const before = known.get(text);
    if (before !== undefined) return before;
    const result = check(text);
    if (known.size < 1_000) known.set(text, result);
    return result;
  };
}

type Cell = { readonly column: string; readonly at: number };

/** A check of one cell: returns why it is refused, or null. */
type CellCheck = Cell & { readonly problemOf: (text: string) => RefusalWord | null };

/** Returns null if the file lacks a column of the mapping. */
export function createReadRow(columns: readonly string[], mapping: ImportMapping, country: string): ReadRow | null {
  const localeOf = remember(canonicalLocale);
  const isZone = remember(isTimeZone);
  const cellOf = (column: string): Cell => ({ column, at: columns.indexOf(column) });
  const phoneCell = cellOf(mapping.phone);
  const nameCell = mapping.name === null ? null : cellOf(mapping.name);
  const localeCell = mapping.locale === null ? null : cellOf(mapping.locale);
  const zoneCell = mapping.timeZone === null ? null : cellOf(mapping.timeZone);
  const attributeCells = Object.entries(mapping.attributes).map(([key, column]) => ({ key, ...cellOf(column) }));
  const tooLong = (max: number, word: RefusalWord) => (text: string) => (text.length > max ? word : null);
  const longName = tooLong(limits.contactNameMaxLength, 'name_too_long');
  const longAttribute = tooLong(limits.attributeValueMaxLength, 'attribute_too_long');
  const checks: CellCheck[] = [
    ...(nameCell === null ? [] : [{ ...nameCell, problemOf: longName }]),
    ...(localeCell === null
      ? []
      : [{ ...localeCell, problemOf: (text: string) => (localeOf(text) === null ? 'unknown_locale' : null) } as const]),
    ...(zoneCell === null
      ? []
      : [{ ...zoneCell, problemOf: (text: string) => (isZone(text) ? null : 'unknown_time_zone') } as const]),
    ...attributeCells.map(({ column, at }) => ({ column, at, problemOf: longAttribute })),
  ];
  if ([phoneCell, ...checks].some(({ at }) => at === -1)) return null;

  return (given) => {
    const { row } = given;
    if ('problem' in given) return refuse(row, given.problem);
    const textOf = (cell: Cell | null) => (cell === null ? '' : (given.values[cell.at] ?? '').trim());
    const parsed = parsePhone(textOf(phoneCell), country);
    if (!parsed.ok) return refuse(row, parsed.reason, { column: phoneCell.column, value: textOf(phoneCell) });
    const { phone } = parsed;
    for (const check of checks) {
      const value = textOf(check);
      if (value === '') continue;
      const problem = isReadable(value) ? check.problemOf(value) : 'unreadable_text';
      if (problem !== null) return refuse(row, problem, { column: check.column, value, phone });
    }
    const filled = attributeCells.map((cell) => [cell.key, textOf(cell)] as const).filter(([, value]) => value !== '');
    return {
      row,
      phone,
      name: textOf(nameCell) || null,
      locale: localeCell === null ? null : localeOf(textOf(localeCell)),
      timeZone: textOf(zoneCell) || null,
      attributes: Object.fromEntries(filled),
    };
  };
}
