/** The Indonesian pages say the same as the English ones, with the same code. */
import { readdirSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';
import { pageNames } from './page-list.js';

const folder = fileURLToPath(new URL('../../../../docs/', import.meta.url));
const read = (file: string) => readFileSync(folder + file, 'utf8');
const translated = readdirSync(`${folder}id`);

/** The blocks of code of a page. A comment in a shell is translated. */
const codeOf = (markdown: string): string[] =>
  [...markdown.matchAll(/^```[^\n]*\n([\s\S]*?)^```$/gm)].map(([, code = '']) => code.replace(/ +# .*$/gm, ''));

test.each(translated)('the code of %s is that of the English page', (file) => {
  const english = codeOf(read(file));
  expect(codeOf(read(`id/${file}`)).filter((code) => !english.includes(code))).toEqual([]);
});

test.each(translated)('%s leads to the Indonesian page where there is one', (file) => {
  const links = [...read(`id/${file}`).matchAll(/\]\(\.\.\/([\w-]+\.md)[^)]*\)/g)].map(([, target = '']) => target);
  // A page may name its own original.
  expect(links.filter((target) => target !== file && translated.includes(target))).toEqual([]);
});

test('everything that a shop owner or a beginning developer reads is there in Indonesian', () => {
  const stillEnglish = pageNames.filter((name) => !translated.includes(`${name}.md`));
  expect(stillEnglish).toEqual([
    'networks',
    'events',
    'requests',
    'operations',
    'whatsapp',
    'docker',
    'kubernetes',
    'configuration',
    'postgres',
    'redis',
    'backup',
    'upgrades',
    'metrics',
    'alerts',
    'traces',
    'security',
    'data-protection',
    'reliability',
    'performance',
  ]);
});
