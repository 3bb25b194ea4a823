/** Returns a parser for the search part of an address. It keeps the named texts and flags, and nothing else. */
export const searchOf =
  <const Text extends string = never, const Flag extends string = never>(
    texts: readonly Text[],
    flags: readonly Flag[],
  ) =>
  (
    search: Readonly<Record<string, unknown>>,
  ): { [T in Text]?: string | undefined } & { [F in Flag]?: true | undefined } => {
    // The router parses a text of digits as a number, so turn it back into text.
    const given = texts.flatMap((name) => {
      const value = search[name];
      return typeof value === 'string' || typeof value === 'number' ? [[name, `${value}`]] : [];
    });
    const set = flags.flatMap((name) => (search[name] === true ? [[name, true]] : []));
    return Object.fromEntries([...given, ...set]) as { [T in Text]?: string } & { [F in Flag]?: true }; // both lists hold only these names
  };
