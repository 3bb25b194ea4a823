/** Inspects the page that is open: takes its picture and expects no findings and no errors. */
import { expect } from 'vitest';
import { type Person, resize, takePicture } from './browser.js';
import { findingsOf, layoutFindings, settle } from './page-findings.js';

export const [wide, narrow] = [1280, 390];

export async function look(person: Person, path: string, name: string): Promise<void> {
  const { page } = person;
  await page.goto(`/app/${path}`);
  await settle(page);
  expect(page.url(), 'another page opened').toContain(`/app/${path}`);
  await inspectBoth(person, name);
}

export async function inspect({ page, errors }: Person, name: string): Promise<void> {
  await takePicture(page, name);
  expect(await findingsOf(page), name).toEqual([]);
  expect(errors).toEqual([]);
}

/** Looks only at the layout. axe takes seconds of a processor, and finds little that depends on the width. */
export async function inspectLayout({ page, errors }: Person, name: string): Promise<void> {
  await takePicture(page, name);
  expect(await layoutFindings(page), name).toEqual([]);
  expect(errors).toEqual([]);
}

/** Inspects the layout in the other width, and then everything in the page's own width. */
export async function inspectBoth(person: Person, name: string): Promise<void> {
  const asOpened = person.page.viewportSize()?.width ?? wide;
  const other = asOpened === wide ? narrow : wide;
  for (const [width, look] of [
    [other, inspectLayout],
    [asOpened, inspect],
  ] as const) {
    await resize(person.page, width);
    await settle(person.page);
    await look(person, `${name}-${width}`);
  }
}
