/** Follows every link of the documentation, as a reader without JavaScript does. */

export type DocsPage = {
  readonly address: string;
  readonly status: number;
  readonly language: string;
  readonly title: string;
  readonly description: string;
  readonly headings: readonly string[];
  readonly anchors: ReadonlySet<string>;
  readonly links: readonly string[];
  /** Files that the page loads: scripts, styles and images. */
  readonly files: readonly string[];
  readonly html: string;
};

const attribute = (html: string, pattern: RegExp): string[] =>
  [...html.matchAll(pattern)].map(([, value = '']) => value.replaceAll('&amp;', '&'));

const textOf = (html: string) =>
  html
    .replace(/<[^>]*>/g, '')
    .replace(/&[\w#]+;|\u200b/g, '')
    .trim();

async function readPage(baseUrl: string, address: string): Promise<DocsPage> {
  const answer = await fetch(baseUrl + address, { headers: { accept: 'text/html' } });
  const html = await answer.text();
  const [title = ''] = attribute(html, /<title>([^<]*)<\/title>/g);
  return {
    address,
    status: answer.status,
    language: attribute(html, /<html lang="([^"]*)"/g)[0] ?? '',
    title,
    description: attribute(html, /<meta name="description" content="([^"]*)"/g)[0] ?? '',
    headings: attribute(html, /<h1[^>]*>([\s\S]*?)<\/h1>/g).map(textOf),
    anchors: new Set(attribute(html, /\sid="([^"]*)"/g)),
    links: attribute(html, /<a\s[^>]*?href="([^"]*)"/g),
    files: [
      ...attribute(html, /<(?:script|img)\s[^>]*?src="([^"]*)"/g),
      ...attribute(html, /<link\s[^>]*?href="([^"]*)"/g),
    ],
    html,
  };
}

/** The address without its anchor, and the anchor. */
function split(link: string, from: string): { address: string; anchor: string; isOurs: boolean } {
  const { origin, pathname, search, hash } = new URL(link, `http://docs.invalid${from}`);
  return {
    address: pathname + search,
    anchor: decodeURIComponent(hash.slice(1)),
    isOurs: origin === 'http://docs.invalid',
  };
}

export type Crawl = { readonly pages: ReadonlyMap<string, DocsPage>; readonly problems: readonly string[] };

/** Reads all pages below /docs/ that links reach from these addresses, and everything that they name. */
export async function crawl(baseUrl: string, starts: readonly string[]): Promise<Crawl> {
  const pages = new Map<string, DocsPage>();
  const waiting = [...starts];
  const other = new Set<string>();
  for (let address = waiting.pop(); address !== undefined; address = waiting.pop()) {
    if (pages.has(address)) continue;
    const page = await readPage(baseUrl, address);
    pages.set(address, page);
    for (const link of page.links) {
      const target = split(link, address);
      if (!target.isOurs) continue;
      if (/^\/docs\/[^.]*$/.test(target.address)) waiting.push(target.address);
      else other.add(target.address);
    }
    for (const file of page.files) other.add(split(file, address).address);
  }
  const problems = [...pages.values()].flatMap((page) => [...faultsOf(page), ...brokenAnchors(page, pages)]);
  for (const address of other) {
    const { status } = await fetch(baseUrl + address, { method: 'HEAD', headers: { accept: 'text/html' } });
    if (status !== 200) problems.push(`${address} answers ${status}`);
  }
  return { pages, problems };
}

function faultsOf({ address, status, title, description, headings, html }: DocsPage): string[] {
  return [
    status !== 200 && `answers ${status}`,
    title === '' && 'has no title',
    description === '' && 'has no description',
    (headings.length !== 1 || headings[0] === '') && `has ${headings.length} first headings`,
    / style="/.test(html) && 'has a style attribute',
    /<style[\s>]/.test(html) && 'has inline styles',
    /<script(?![^>]*\bsrc=)/.test(html) && 'has an inline script',
  ].flatMap((fault) => (fault === false ? [] : [`${address} ${fault}`]));
}

function brokenAnchors({ address, links }: DocsPage, pages: ReadonlyMap<string, DocsPage>): string[] {
  return links.flatMap((link) => {
    const { address: target, anchor, isOurs } = split(link, address);
    const page = pages.get(target);
    if (!isOurs || anchor === '' || page === undefined || page.anchors.has(anchor)) return [];
    return [`${address} links to ${link}, where nothing has this name`];
  });
}
