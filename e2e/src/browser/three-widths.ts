/** Looks at a page at the widths of a screen, of a phone and of a small phone. */
import { type Person, resize } from './browser.js';
import { inspectBoth, inspectLayout, narrow } from './inspect-page.js';
import { settle } from './page-findings.js';

/** A small phone. */
const smallest = 360;

/** The page goes back to the width of a phone. */
export async function inspectAll(person: Person, name: string): Promise<void> {
  await inspectBoth(person, name);
  await resize(person.page, smallest);
  await settle(person.page);
  await inspectLayout(person, `${name}-${smallest}`);
  await resize(person.page, narrow);
}
