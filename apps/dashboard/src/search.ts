/** What an address may carry after the `?`: texts and flags of these names. Anything else in it is left out. */
export const searchOf =
  <const Text extends string = never, const Flag extends string = never>(
    texts: readonly Text[],
    flags: readonly Flag[],
  ) =>
  (
    search: Readonly<Record<string, unknown>>,
  ): { [T in Text]?: string | undefined } & { [F in Flag]?: true | undefined } => {
    // A number or a date that stands alone in an address was parsed as one; it was typed as text.
    const given = texts.flatMap((name) => {
      const value = search[name];
      return typeof value === 'string' || typeof value === 'number' ? [[name, `${value}`]] : [];
    });
    const set = flags.flatMap((name) => (search[name] === true ? [[name, true]] : []));
    return Object.fromEntries([...given, ...set]) as { [T in Text]?: string } & { [F in Flag]?: true }; // the names' own
  };
