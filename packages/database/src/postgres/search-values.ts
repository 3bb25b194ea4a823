/** The digits of a search, without the zero of a local number. Null if it has letters. */
const digitsOf = (search: string): string | null =>
  /^[\d\s+().-]+$/.test(search) ? search.replace(/\D/g, '').replace(/^0+/, '') || null : null;

/** For a search by a part of a name or of a number: the pattern of `ILIKE`, and the digits. Null: there is none. */
export const searchValues = (search: string | null): [pattern: string | null, digits: string | null] =>
  search === null ? [null, null] : [`%${search.replace(/[\\%_]/g, '\\$&')}%`, digitsOf(search)];
