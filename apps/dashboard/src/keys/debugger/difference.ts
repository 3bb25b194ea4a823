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
