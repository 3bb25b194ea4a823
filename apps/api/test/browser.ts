/** A real browser, in which axe looks for faults of a page. */
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { type Browser, chromium, type Page } from 'playwright-core';

export const chromiumPath = process.env['KURIR_TEST_CHROMIUM'] ?? null;
export const whyNoBrowser = process.env['KURIR_TEST_NO_CHROMIUM'] ?? 'run it with npm test, which finds a Chromium';

const axe = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');

export async function openBrowser(): Promise<Browser> {
  if (chromiumPath === null) throw new Error(whyNoBrowser);
  const asRoot = process.getuid?.() === 0 ? ['--no-sandbox'] : [];
  return chromium.launch({ executablePath: chromiumPath, args: asRoot });
}

type Finding = { id: string; nodes: { target: string[]; failureSummary: string }[] };

/** Runs in the page: finds the document if its content is wider than the window. */
const spilling = `[document.documentElement].filter((box) => box.scrollWidth > box.clientWidth).map((box) => box.scrollWidth + ' px wide')`;

/** All violations of any severity, and anything wider than the page, in a narrow and in a wide window. */
export async function findingsOf(page: Page): Promise<string[]> {
  if (!(await page.evaluate('"axe" in window'))) await page.evaluate(axe);
  const found: string[] = [];
  for (const width of [390, 1280]) {
    await page.setViewportSize({ width, height: 844 });
    const run = 'axe.run(document, { resultTypes: ["violations"] }).then((r) => r.violations)';
    const violations = await page.evaluate<Finding[]>(run);
    for (const { id, nodes } of violations)
      found.push(...nodes.map(({ target, failureSummary }) => `${id} ${target.join(' ')}: ${failureSummary}`));
    found.push(...(await page.evaluate<string[]>(spilling)));
  }
  return found;
}
