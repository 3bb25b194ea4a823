import { existsSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { gzipSync } from 'node:zlib';
import { describe, expect, test } from 'vitest';

type Chunk = { file: string; isEntry?: boolean; isDynamicEntry?: boolean; imports?: string[]; css?: string[] };

const dist = fileURLToPath(new URL('../dist/', import.meta.url));
const manifestPath = `${dist}.vite/manifest.json`;
if (!existsSync(manifestPath)) throw new Error('The dashboard is not built. Run: npm run build');
const manifest = JSON.parse(readFileSync(manifestPath, 'utf8')) as Record<string, Chunk>;

const maxFirstLoadBytes = 218_000;
const maxStyleBytes = 20_000;
const gzipped = new Map<string, number>();

function gzippedBytes(file: string): number {
  const known = gzipped.get(file) ?? gzipSync(readFileSync(dist + file)).length;
  gzipped.set(file, known);
  return known;
}

/** The chunk and every chunk that it imports statically. */
function closureOf(name: string, seen = new Set<string>()): Set<string> {
  if (seen.has(name)) return seen;
  seen.add(name);
  for (const imported of manifest[name]?.imports ?? []) closureOf(imported, seen);
  return seen;
}

const entry = Object.keys(manifest).find((name) => manifest[name]?.isEntry === true) ?? '';
const pages = Object.keys(manifest).filter(
  (name) => name.endsWith('-page.tsx') && manifest[name]?.isDynamicEntry === true,
);

describe('the first load of a page', () => {
  test('is measured for every page of the router', () => {
    const router = readFileSync(fileURLToPath(new URL('./router.tsx', import.meta.url)), 'utf8');
    const named = [...router.matchAll(/import\('\.\/(.+?)\.js'\)/g)].map(([, path]) => `src/${path}.tsx`);
    expect(pages.toSorted()).toEqual(named.toSorted());
    expect(pages.length).toBeGreaterThan(12);
  });

  test.each(pages)(`has at most ${maxFirstLoadBytes / 1_000} kB of gzipped JavaScript: %s`, (page) => {
    const files = new Set([...closureOf(entry), ...closureOf(page)].map((name) => manifest[name]?.file ?? ''));
    const bytes = [...files].reduce((sum, file) => sum + gzippedBytes(file), 0);
    expect(bytes).toBeGreaterThan(50_000);
    expect(bytes, `${bytes} bytes`).toBeLessThanOrEqual(maxFirstLoadBytes);
  });

  test(`has at most ${maxStyleBytes / 1_000} kB of gzipped styles`, () => {
    const styles = Object.values(manifest).flatMap(({ css = [] }) => css);
    expect(styles.reduce((sum, file) => sum + gzippedBytes(file), 0)).toBeLessThanOrEqual(maxStyleBytes);
  });
});

describe('the HTML page', () => {
  const html = readFileSync(`${dist}index.html`, 'utf8');

  test('has no inline script or style, and has a placeholder for the nonce on every script', () => {
    const scripts = html.match(/<script[^>]*>/g) ?? [];
    expect(scripts.length).toBeGreaterThan(1);
    for (const script of scripts) expect(script).toMatch(/src=.*nonce="__CSP_NONCE__"|nonce="__CSP_NONCE__".*src=/);
    expect(html).not.toMatch(/<style|\son\w+=|\sstyle=/);
  });

  test('loads nothing from another site', () => {
    expect(html).not.toMatch(/(src|href)="(https?:)?\/\//);
  });
});
