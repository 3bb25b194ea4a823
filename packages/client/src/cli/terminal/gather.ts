/** For an option that may stand several times. */
export const gather = (text: string, before: readonly string[] = []): string[] => [...before, text];
