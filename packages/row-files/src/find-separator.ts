/** Finds what separates the cells of a CSV file. A spreadsheet in Indonesian writes semicolons. */
export const separators = [',', ';', '\t'] as const;
export type Separator = (typeof separators)[number];

const linesLookedAt = 20;

/** For each complete line of the sample, how often each separator stands outside quotes. */
function countInLines(sample: string): number[][] {
  const lines: number[][] = [];
  let counts = separators.map(() => 0);
  let [isQuoted, isBlank] = [false, true];
  const end = () => {
    if (!isBlank) lines.push(counts);
    counts = separators.map(() => 0);
    isBlank = true;
  };
  for (let at = 0; at < sample.length && lines.length < linesLookedAt; at++) {
    const character = sample.charAt(at);
    if (character === '"') isQuoted = !isQuoted;
    if (!isQuoted && (character === '\n' || character === '\r')) {
      end();
      continue;
    }
    isBlank = false;
    const which = isQuoted ? -1 : separators.findIndex((separator) => separator === character);
    if (which >= 0) counts[which] = (counts[which] ?? 0) + 1;
  }
  if (lines.length === 0) end();
  return lines;
}

/** Returns the separator that most lines hold equally often. A file with one column has a comma. */
export function findSeparator(sample: string): Separator {
  const lines = countInLines(sample);
  let best: { readonly separator: Separator; readonly score: number } = { separator: ',', score: 0 };
  separators.forEach((separator, i) => {
    const inFirst = lines[0]?.[i] ?? 0;
    const equal = lines.filter((counts) => counts[i] === inFirst).length;
    const score = inFirst === 0 ? 0 : equal + 1 - 1 / (inFirst + 1);
    if (score > best.score) best = { separator, score };
  });
  return best.separator;
}
