/**
 * The places where a spreadsheet would begin a formula. A spreadsheet in another language separates cells by semicolons or tabs
 * and ignores our quotes, so a cell may begin after each of these. It also drops quotes and spaces before a formula.
 */
const formula = /(?<=^|[;,\t\r\n"])(?=["\s]*[=+\-@\t\r\uff1d\uff0b\uff0d\uff20])/g;

/** Puts an apostrophe before each formula. */
export function csvField(value: string | null): string {
  const text = (value ?? '').replace(formula, "'");
  return /[",;\t\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}
