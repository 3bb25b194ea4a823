/** Above this share of equal texts, Kurir advises to vary the template. */
const warnAbove = 0.5;

export type EqualShare = {
  /** The largest group of equal texts, as a part of all texts. Null: fewer than two texts. */
  readonly share: number | null;
  readonly mostAreEqual: boolean;
};

/** Says how alike texts are. Networks restrict numbers that send one text to many people. */
export function equalShare(texts: readonly string[]): EqualShare {
  const counts = new Map<string, number>();
  let largest = 0;
  for (const text of texts) {
    const count = (counts.get(text) ?? 0) + 1;
    counts.set(text, count);
    largest = Math.max(largest, count);
  }
  const share = texts.length < 2 ? null : largest / texts.length;
  return { share, mostAreEqual: share !== null && share > warnAbove };
}
