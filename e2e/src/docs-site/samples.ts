/** Reads the samples that a page of the documentation shows, as a reader copies them. */

const entities: Readonly<Record<string, string>> = { amp: '&', lt: '<', gt: '>', quot: '"', '#39': "'", '#123': '{' };

const textOf = (html: string): string =>
  html
    .replace(/<[^>]*>/g, '')
    .replace(
      /&([\w#]+);/g,
      (_, name: string) => entities[name] ?? String.fromCodePoint(parseInt(name.replace('#x', ''), 16)),
    );

/** The groups of a page: code by the name of its tab. */
export function sampleGroups(html: string): Readonly<Record<string, string>>[] {
  return html
    .split('<div class="vp-code-group')
    .slice(1)
    .map((group) => {
      const names = [...group.matchAll(/<label[^>]*>([^<]*)<\/label>/g)].map(([, name = '']) => textOf(name));
      const codes = [...group.matchAll(/<pre[^>]*><code[^>]*>([\s\S]*?)<\/code><\/pre>/g)];
      return Object.fromEntries(names.map((name, index) => [name, textOf(codes[index]?.[1] ?? '')]));
    });
}
