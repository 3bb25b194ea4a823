/** Counts code points without an array: the UTF-16 units, minus one for each surrogate pair. */
export function countCodePoints(text: string): number {
  let count = text.length;
  for (let i = 0; i < text.length; i++) if ((text.charCodeAt(i) & 0xfc00) === 0xd800) count--;
  return count;
}

/** True if the text has at most `max` code points. A short or a very long text is not counted. */
export const hasAtMost = (max: number, text: string): boolean =>
  text.length <= max || (text.length <= 2 * max && countCodePoints(text) <= max);
