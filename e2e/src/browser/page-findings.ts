/** Finds the faults of a page as it is shown now: the page itself, a dialog or an open menu. */
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { waitUntil } from '@kurir/testing';
import type { Page } from 'playwright-core';

const axe = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');

/** Screens below this width have no mouse. There a target must be `finger` pixels high. */
const handheldWidth = 640;
const finger = 40;

type Finding = { id: string; impact: string; nodes: { target: string[]; failureSummary: string }[] };

async function violationsOn(page: Page): Promise<Finding[]> {
  if (!(await page.evaluate('"axe" in window'))) await page.evaluate(axe);
  return page.evaluate<Finding[]>('axe.run(document, { resultTypes: ["violations"] }).then((r) => r.violations)');
}

const linesOf = (found: readonly Finding[]): string[] =>
  found.flatMap(({ id, nodes }) =>
    nodes.map(({ target, failureSummary }) => `${id} ${target.join(' ')}: ${failureSummary}`),
  );

/** The violations that axe calls serious or critical, one line each. */
const seriousFindings = async (page: Page): Promise<string[]> =>
  linesOf((await violationsOn(page)).filter(({ impact }) => impact === 'serious' || impact === 'critical'));

/** All violations that axe knows of any severity. */
export const allViolations = async (page: Page): Promise<string[]> => linesOf(await violationsOn(page));

/** Runs in the page: finds the document or a dialog if its content is wider than itself. */
const spilling = `[document.documentElement, ...document.querySelectorAll('[role=dialog], [role=alertdialog]')]
  .filter((box) => box.scrollWidth > box.clientWidth)
  .map((box) => box.tagName + ' is ' + box.scrollWidth + ' px wide in ' + box.clientWidth)`;

/**
 * Runs in the page: finds targets that are lower than a finger. A link in a sentence and a box with a label may be
 * lower.
 */
const tooLow = `[...document.querySelectorAll('a, button, input, select, textarea, summary, [role=menuitem]')]
  .filter((one) => {
    const { width, height } = one.getBoundingClientRect();
    const look = getComputedStyle(one);
    const isHidden = width === 0 || look.visibility === 'hidden' || look.clipPath !== 'none';
    const isText = one.tagName === 'A' && look.display === 'inline';
    return !isHidden && !isText && one.closest('label') === null && height < ${finger} - 0.5;
  })
  .map((one) => Math.round(one.getBoundingClientRect().height) + ' px: ' + (one.ariaLabel ?? one.textContent).trim())`;

/** Anything wider than the page or its dialog. */
export const spillingParts = (page: Page): Promise<string[]> => page.evaluate<string[]>(spilling);

/** Finds anything wider than the page, and targets that are too low. Both depend on the width. */
export async function layoutFindings(page: Page): Promise<string[]> {
  const isHandheld = (page.viewportSize()?.width ?? handheldWidth) < handheldWidth;
  const low = isHandheld ? await page.evaluate<string[]>(tooLow) : [];
  return [...(await spillingParts(page)), ...low];
}

export const findingsOf = async (page: Page): Promise<string[]> => [
  ...(await seriousFindings(page)),
  ...(await layoutFindings(page)),
];

/** Waits until the page has its heading and loads nothing. */
export async function settle(page: Page): Promise<void> {
  await page.locator('h1').first().waitFor();
  const busy = page.locator('[aria-busy="true"], .animate-breathe[aria-hidden]:not(span)');
  await waitUntil(async () => (await busy.count()) === 0, { what: 'the page has loaded' });
}
