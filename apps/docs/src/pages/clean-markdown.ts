/** Makes a page of the site from a document of the repository. The words stay as they are. */

export type CleanOptions = {
  /** Returns the address of a page of the site, or null if the site has no such page. */
  readonly pageOf: (target: string) => string | null;
};

const link = /(!?)\[((?:[^[\]]|\[[^\]]*\])*)\]\(([^)\s]+)\)/g;
const comment = /<!--[\s\S]*?-->\n?/g;
const isElsewhere = (target: string) => /^(?:[a-z][a-z+.-]*:|#)/i.test(target);

/** Splits a text into parts outside and inside of fenced code, in turns. */
const fenced = /^(```[\s\S]*?^```[^\n]*)$/gm;

function cleanText(text: string, { pageOf }: CleanOptions): string {
  return text.replace(comment, '').replace(link, (whole, bang: string, words: string, target: string) => {
    if (isElsewhere(target)) return whole;
    const page = pageOf(target);
    if (page !== null) return `${bang}[${words}](${page})`;
    // A file of the repository is no page. Its name stays, without a link.
    return bang ? '' : words;
  });
}

/** A picture of states becomes a table, because the pages draw no diagrams. */
function tableOfStates(part: string): string {
  const arrows = [...part.matchAll(/^\s*(\S+) --> (\S+)/gm)].map(([, from = '', to = '']) => [from, to] as const);
  const states = new Map<string, string[]>();
  for (const [from, to] of arrows) states.set(from, [...(states.get(from) ?? []), to]);
  const nameOf = (state: string) => (state === '[*]' ? '–' : `\`${state}\``);
  const rows = [...states].map(([from, next]) => `| ${nameOf(from)} | ${next.map(nameOf).join(', ')} |`);
  return ['| State | Next |', '|---|---|', ...rows].join('\n');
}

export function cleanMarkdown(markdown: string, options: CleanOptions): string {
  return markdown
    .split(fenced)
    .map((part, index) => {
      if (index % 2 === 0) return cleanText(part, options);
      return part.startsWith('```mermaid') ? tableOfStates(part) : part;
    })
    .join('');
}

/** Returns the first heading of a document. */
export function titleOf(markdown: string): string {
  const [, title] = /^# (.+)$/m.exec(markdown) ?? [];
  if (title === undefined) throw new Error('The document has no heading.');
  return title.replaceAll('`', '');
}

/** Returns the first paragraph as plain text, for search engines and previews. */
export function descriptionOf(markdown: string): string {
  const [, ...parts] = markdown.replace(fenced, '').split(/\n\s*\n/);
  const paragraph = parts.map((part) => part.trim()).find((part) => /^[\p{L}\p{N}*`[]/u.test(part)) ?? '';
  const plain = paragraph
    .replace(link, (_whole, _bang, words: string) => words)
    .replace(/[*`]/g, '')
    .replace(/\s+/g, ' ');
  return /^.+?[.!?](?=\s|$)/.exec(plain)?.[0] ?? plain;
}
