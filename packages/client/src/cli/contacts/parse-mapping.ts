/** Reads `--map phone=HP,name=Nama,kota=Kota`. */
import type { CreateContactImportInput } from '../../contract/call-types.js';
import { fieldPairs, phoneColumn } from '../uploads/field-pairs.js';

export type ImportMapping = CreateContactImportInput['mapping'];

const fields = { phone: 'phone', name: 'name', locale: 'locale', time_zone: 'timeZone' } as const;

const isField = (name: string): name is keyof typeof fields => Object.hasOwn(fields, name);

export function parseMapping(text: string): ImportMapping {
  const pairs = fieldPairs(text);
  const known = Object.fromEntries(
    pairs.flatMap(([field, column]) => (isField(field) ? [[fields[field], column]] : [])),
  );
  const attributes = Object.fromEntries(pairs.filter(([field]) => !isField(field)));
  const phone = phoneColumn(pairs);
  return { ...known, phone, ...(Object.keys(attributes).length === 0 ? {} : { attributes }) };
}
