import type { Part, PartName } from './signing.js';

/** Two texts, split at the first difference: their common beginning and the rest of each. */
export type Difference = { readonly same: string; readonly yours: string; readonly ours: string };

export function differenceOf(yours: string, ours: string): Difference | null {
  if (yours === ours) return null;
  const left = [...yours];
  const right = [...ours];
  let at = 0;
  while (at < left.length && at < right.length && left[at] === right[at]) at++;
  return { same: left.slice(0, at).join(''), yours: left.slice(at).join(''), ours: right.slice(at).join('') };
}

/** Splits `yours` at the colons into as many parts as `ours` has. Only the target may contain colons. */
function splitLike(yours: string, ours: readonly Part[]): string[] | null {
  const pieces = yours.split(':');
  if (pieces.length < ours.length) return null;
  const target = ours.findIndex(({ name }) => name === 'target');
  const afterTarget = pieces.length - (ours.length - target - 1);
  return [...pieces.slice(0, target), pieces.slice(target, afterTarget).join(':'), ...pieces.slice(afterTarget)];
}

export type PartDifference = Difference & { readonly name: PartName };

/** Returns the parts that differ. Null: `yours` has too few parts, so nobody can say which are missing. */
export function differingParts(yours: string, ours: readonly Part[]): PartDifference[] | null {
  const pieces = splitLike(yours, ours);
  if (pieces === null) return null;
  return ours.flatMap(({ name, text }, i) => {
    const difference = differenceOf(pieces[i] ?? '', text);
    return difference === null ? [] : [{ ...difference, name }];
  });
}
