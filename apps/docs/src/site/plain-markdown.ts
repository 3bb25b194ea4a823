/** Makes markdown mean what it means on other sites: braces are text, nothing has a style attribute, no heading is empty. */
import type { MarkdownOptions } from 'vitepress';

type Markdown = Parameters<NonNullable<MarkdownOptions['config']>>[0];
type Token = ReturnType<Markdown['parse']>[number];

const plainBraces = (html: string) => html.replaceAll('{{', '&#123;&#123;');

/** Writes the side of a column as a class. */
function nameSide(token: Token): void {
  const [, side] = /^text-align:(\w+)$/.exec(token.attrGet('style') ?? '') ?? [];
  if (side === undefined) return;
  token.attrs = (token.attrs ?? []).filter(([name]) => name !== 'style');
  token.attrJoin('class', `align-${side}`);
}

/** Returns the tokens without heads of tables that have no word. An empty cell of another head is an ordinary cell. */
function withoutEmptyHeads(tokens: readonly Token[]): Token[] {
  const kept: Token[] = [];
  let head: Token[] | null = null;
  for (const [index, token] of tokens.entries()) {
    if (token.type === 'thead_open') head = [];
    (head ?? kept).push(token);
    const isEmpty = token.type === 'th_open' && tokens[index + 1]?.content === '';
    if (isEmpty) for (const cell of [token, tokens[index + 2]]) if (cell) cell.tag = 'td';
    if (token.type !== 'thead_close' || head === null) continue;
    if (head.some(({ type, content }) => type === 'inline' && content !== '')) kept.push(...head);
    head = null;
  }
  return kept;
}

export function plainMarkdown(md: Markdown): void {
  for (const rule of ['text', 'code_inline'] as const) {
    const render = md.renderer.rules[rule];
    // Vue would run what stands between two braces.
    md.renderer.rules[rule] = (...args) => plainBraces(render?.(...args) ?? '');
  }
  const fence = md.renderer.rules.fence;
  // A block of code that is called `try` is the form of the page.
  md.renderer.rules.fence = (tokens, index, ...rest) =>
    tokens[index]?.info.trim() === 'try' ? '<TryForm />' : (fence?.(tokens, index, ...rest) ?? '');
  md.core.ruler.push('plain-tables', (state) => {
    state.tokens = withoutEmptyHeads(state.tokens);
    for (const token of state.tokens) nameSide(token);
  });
}
