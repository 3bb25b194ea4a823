/**
 * Turns a row of a file, or a contact, into a recipient. Only the values that the text uses are kept. The same row gives
 * the same recipient at every reading.
 */
import { isStorableText, keysOf, nameKey, type ParsedTemplate, variablesOf } from '@kurir/contracts';
import type { AudienceMapping, PlannedRow } from '@kurir/database/broadcasts';
import type { ContactView } from '@kurir/database/contacts';
import { parsePhone } from '@kurir/phone-numbers';
import type { FileRow } from '@kurir/row-files';

const namesIn = (template: ParsedTemplate): ReadonlySet<string> =>
  new Set(variablesOf(template).flatMap(({ name }) => keysOf(name)));

/** The decoder writes U+FFFD where bytes are no text of the file's encoding. */
const isReadable = (text: string) => !text.includes('\ufffd') && isStorableText(text);

export type ReadPlannedRow = (row: FileRow) => PlannedRow;

/** Returns null if the file lacks a column of the mapping. */
export function createReadPlannedRow(
  columns: readonly string[],
  mapping: AudienceMapping,
  country: string,
  template: ParsedTemplate,
): ReadPlannedRow | null {
  const used = namesIn(template);
  const phoneAt = columns.indexOf(mapping.phone);
  const cells = Object.entries(mapping.values)
    .filter(([name]) => used.has(nameKey(name)))
    .map(([name, column]) => ({ name, at: columns.indexOf(column) }));
  if (phoneAt === -1 || cells.some(({ at }) => at === -1)) return null;
  return (given) => {
    if ('problem' in given) return { recipient: null, written: `row ${given.row}`, values: {}, isBroken: true };
    const written = (given.values[phoneAt] ?? '').trim();
    const values = Object.fromEntries(cells.map(({ name, at }) => [name, (given.values[at] ?? '').trim()]));
    const parsed = parsePhone(written, country);
    const isBroken = !Object.values(values).every(isReadable);
    return { recipient: parsed.ok ? parsed.phone : null, written, values, isBroken };
  };
}

/** The name of the contact comes before an attribute of that name, and its number after one. */
export function createReadContact(template: ParsedTemplate): (contact: ContactView) => PlannedRow {
  const used = namesIn(template);
  return ({ phone, name, attributes }) => {
    const values = new Map<string, string>(name === null ? [] : [['name', name]]);
    for (const [key, value] of [...Object.entries(attributes), ['phone', phone] as const])
      if (!values.has(key)) values.set(key, value);
    const wanted = [...values].filter(([key]) => used.has(nameKey(key)));
    return { recipient: phone, written: phone, values: Object.fromEntries(wanted) };
  };
}
