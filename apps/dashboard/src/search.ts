/** The search part of an address, with plain texts: the router would put quotes around digits, and read `1e5` as a number. */

/** Earlier addresses have quotes around digits. */
const quotedDigits = /^"(\d+)"$/;

export const parseSearch = (search: string): Record<string, unknown> =>
  Object.fromEntries(
    [...new URLSearchParams(search)].map(([name, value]) => [
      name,
      value === 'true' ? true : value.replace(quotedDigits, '$1'),
    ]),
  );

export function stringifySearch(search: Readonly<Record<string, unknown>>): string {
  const given = Object.entries(search).flatMap(([name, value]) =>
    typeof value === 'string' || value === true ? [[name, `${value}`]] : [],
  );
  return given.length === 0 ? '' : `?${new URLSearchParams(given).toString()}`;
}

/** Returns a parser for the search part of an address. It keeps the named texts and flags, and nothing else. */
export const searchOf =
  <const Text extends string = never, const Flag extends string = never>(
    texts: readonly Text[],
    flags: readonly Flag[],
  ) =>
  (
    search: Readonly<Record<string, unknown>>,
  ): { [T in Text]?: string | undefined } & { [F in Flag]?: true | undefined } => {
    const given = texts.flatMap((name) => {
      const value = search[name];
      // A text may be the word that a flag has.
      return typeof value === 'string' || value === true ? [[name, `${value}`]] : [];
    });
    const set = flags.flatMap((name) => (search[name] === true ? [[name, true]] : []));
    return Object.fromEntries([...given, ...set]) as { [T in Text]?: string } & { [F in Flag]?: true }; // both lists hold only these names
  };
