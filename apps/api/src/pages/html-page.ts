/** Makes HTML from templates that escape every value. */

export class Markup {
  readonly html: string;

  constructor(html: string) {
    this.html = html;
  }
}

const escapes: Record<string, string> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;', "'": '&#39;' };

function escapeHtml(text: string): string {
  return text.replace(/[&<>"']/g, (character) => escapes[character] ?? '');
}

/** A template tag. It escapes all values except `Markup`. */
export function markup(parts: TemplateStringsArray, ...values: readonly (string | number | Markup)[]): Markup {
  const html = parts.reduce((text, part, i) => {
    const value = values[i - 1] ?? '';
    return text + (value instanceof Markup ? value.html : escapeHtml(String(value))) + part;
  });
  return new Markup(html);
}

export const joinMarkup = (parts: readonly Markup[]): Markup => new Markup(parts.map(({ html }) => html).join(''));

export type Page = {
  readonly lang: string;
  readonly title: string;
  readonly style: string;
  readonly body: Markup;
};

export function htmlPage({ lang, title, style, body }: Page): string {
  return `<!doctype html>
<html lang="${lang}">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="robots" content="noindex">
<title>${escapeHtml(title)}</title>
<style>${style}</style>
</head>
<body>${body.html}</body>
</html>
`;
}
