/** The last steps of the build: no page keeps an inline script, and each file has compressed copies beside it. */
import { createHash } from 'node:crypto';
import { mkdirSync, readdirSync, writeFileSync } from 'node:fs';
import { readFile, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { promisify } from 'node:util';
import { brotliCompress, constants, gzip } from 'node:zlib';

const hashOf = (text: string) => createHash('sha256').update(text).digest('hex').slice(0, 8);

/** Writes a file whose name holds its hash, and returns its address. */
export function writeAsset(
  out: string,
  base: string,
  { name, ending, text }: Record<'name' | 'ending' | 'text', string>,
) {
  const path = `assets/${name}.${hashOf(text)}.${ending}`;
  const file = join(out, path);
  mkdirSync(dirname(file), { recursive: true });
  writeFileSync(file, text);
  return base + path;
}

const inline = /<script(?![^>]*\bsrc=)([^>]*)>([\s\S]*?)<\/script>/g;

/** Moves each inline script into a file, because the policy of the pages allows only files. */
export function withoutInlineScripts(html: string, write: (script: string) => string): string {
  return html.replace(inline, (_whole, attributes: string, script: string) => {
    const type = /\btype="[^"]*"/.exec(attributes)?.[0];
    return `<script${type ? ` ${type}` : ''} src="${write(script)}"></script>`;
  });
}

/** The theme renders a few of its own. `theme.css` says the same. */
const known = / style="(?:position:relative;|--vp-vh:0px;)"/g;

export const withoutStyleAttributes = (html: string): string => html.replace(known, '');

const compressible = /\.(?:html|js|css|svg|json|xml|txt)$/;
const minimumBytes = 1_000;
/** The highest levels take many times as long and save little. */
const brotliLevel = 9;

const [brotliFile, gzipFile] = [promisify(brotliCompress), promisify(gzip)];

async function compressFile(file: string): Promise<void> {
  const content = await readFile(file);
  if (content.length < minimumBytes) return;
  const params = { [constants.BROTLI_PARAM_QUALITY]: brotliLevel, [constants.BROTLI_PARAM_SIZE_HINT]: content.length };
  await writeFile(`${file}.br`, await brotliFile(content, { params }));
  await writeFile(`${file}.gz`, await gzipFile(content, { level: 9 }));
}

export async function compressFiles(out: string): Promise<void> {
  const entries = readdirSync(out, { recursive: true, withFileTypes: true });
  const files = entries.filter((entry) => entry.isFile() && compressible.test(entry.name));
  await Promise.all(files.map(({ parentPath, name }) => compressFile(join(parentPath, name))));
}
