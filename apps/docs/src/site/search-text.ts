/** The part of a page that the search reads. Colours of code take time, and the search does not see them. */

const fences = /^```[^\n]*$/gm;

/** Keeps the beginning and the fields of an operation as one section, so that a word finds each operation once. */
function operationText(markdown: string): string {
  const [beginning = ''] = markdown.split(/^## Sample$/m);
  const [, request = ''] = /^## Request$([\s\S]*?)^## Answer$/m.exec(markdown) ?? [];
  return `${beginning}\n${request.replace(/^#+ .*$/gm, '').replace(/^\|[-|]+$|^\| Field .*$/gm, '')}`.replace(
    /^\| /gm,
    '\n',
  );
}

export function searchText(markdown: string, path: string): string {
  if (path.startsWith('reference/')) return operationText(markdown);
  let isOpen = false;
  return markdown.replace(fences, () => {
    isOpen = !isOpen;
    return isOpen ? '```text' : '```';
  });
}
