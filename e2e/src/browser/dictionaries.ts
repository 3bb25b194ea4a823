/** The texts of the dashboard's sources in both languages. Each page has its own texts, so this reads all of them. */
export type Language = 'en' | 'id';

/** Texts without values, and patterns of the texts that take values. */
export type Dictionary = { readonly texts: ReadonlySet<string>; readonly patterns: readonly RegExp[] };

declare global {
  // Vite's, which runs the tests.
  interface ImportMeta {
    glob<T>(pattern: string, options?: { query?: string; import?: string }): Record<string, () => Promise<T>>;
  }
}

type Text = string | ((...values: string[]) => string) | { readonly [name: string]: Text };
type Found = { texts: Set<string>; patterns: RegExp[] };

const isDefinition = (value: unknown): value is Record<Language, Text> =>
  typeof value === 'object' && value !== null && 'en' in value && 'id' in value && Object.keys(value).length === 2;

/** Stands for each value of a text. No text has it. */
const value = '\u2063';
/** A pattern with fewer letters fits too much. */
const leastLetters = 8;

const escaped = (text: string) => text.replaceAll(/[.*+?^${}()|[\]\\]/g, String.raw`\$&`);

function addPattern(text: (...values: string[]) => string, found: Found): void {
  let written: string;
  try {
    written = text(...Array.from({ length: text.length }, () => value));
  } catch {
    return; // It takes something other than texts.
  }
  if ((written.match(/\p{L}/gu)?.length ?? 0) < leastLetters) return;
  if (written.includes(value))
    found.patterns.push(new RegExp(`^${written.split(value).map(escaped).join('.+')}$`, 'u'));
  else found.texts.add(written);
}

function add(text: Text, found: Found): void {
  if (typeof text === 'function') addPattern(text, found);
  // Some texts are a list.
  else if (typeof text === 'string') for (const part of text.split('|')) found.texts.add(part.trim());
  else for (const one of Object.values(text)) add(one, found);
}

/** The plain texts of a component that defines its own. */
function addOwn(source: string, found: Record<Language, Found>): void {
  const [, call = ''] = /defineTexts\(([\s\S]*?)\n\);/.exec(source) ?? [];
  const [en = '', id = ''] = call.split(/\n {2}\},\n {2}\{/);
  for (const [language, part] of [
    ['en', en],
    ['id', id],
  ] as const)
    for (const [, text = ''] of part.matchAll(/^\s+\w+:\s+'((?:[^'\\]|\\.)*)',$/gm)) found[language].texts.add(text);
}

export async function readDictionaries(): Promise<Record<Language, Dictionary>> {
  const found = { en: { texts: new Set<string>(), patterns: [] }, id: { texts: new Set<string>(), patterns: [] } };
  const sources = import.meta.glob<string>('../../../apps/dashboard/src/**/*.{ts,tsx}', {
    query: '?raw',
    import: 'default',
  });
  const modules = import.meta.glob<Record<string, unknown>>('../../../apps/dashboard/src/**/*.ts');
  for (const [path, read] of Object.entries(sources)) {
    const source = await read();
    if (!source.includes('defineTexts(') || path.endsWith('/i18n/texts.ts')) continue;
    // A component, or a module that only the build of the dashboard resolves, is read as text.
    const module = await modules[path]?.().catch(() => null);
    if (module === null || module === undefined) addOwn(source, found);
    else
      for (const definition of Object.values(module).filter(isDefinition))
        for (const language of ['en', 'id'] as const) add(definition[language], found[language]);
  }
  return found;
}
