/**
 * Shows phone numbers in the groups that people write. The library for numbers would make every page far larger, so the
 * groups of frequent countries stand here, as the library has them.
 */

/** Calling codes with two digits. `1` and `7` have one digit, and all other codes have three. */
const twoDigits = new Set(
  '20 27 30 31 32 33 34 36 39 40 41 43 44 45 46 47 48 49 51 52 53 54 55 56 57 58 60 61 62 63 64 65 66 81 82 84 86 90 91 92 93 94 95 98'.split(
    ' ',
  ),
);

/** The sizes of the groups of a mobile number. The last group takes what is left. */
const groupsOf: Readonly<Record<string, (national: string) => readonly number[]>> = {
  '1': () => [3, 3, 4],
  '31': () => [1, 8],
  '33': () => [1, 2, 2, 2, 2],
  '44': () => [4, 6],
  '49': () => [4, 7],
  '55': () => [2, 5, 4],
  '60': (national) => (national.length > 9 ? [2, 4, 4] : [2, 3, 4]),
  '61': () => [3, 3, 3],
  '62': (national) => (national.length > 9 ? [3, 4, 5] : [3, 3, 3]),
  '63': () => [3, 3, 4],
  '65': () => [4, 4],
  '66': () => [2, 3, 4],
  '81': () => [2, 4, 4],
  '82': () => [2, 4, 4],
  '84': () => [3, 3, 3],
  '86': () => [3, 4, 4],
  '91': () => [5, 5],
};

/** A last group with fewer digits looks like a mistake. */
const leastInLast = 2;
const usual = 3;
/** Two groups of this size, or one, take the digits that fill no group of the usual size. */
const large = usual + 1;

function usualGroups({ length }: string): number[] {
  if (length < 2 * usual) return [length];
  const larger = length % usual;
  const sizes = Array.from({ length: Math.floor(length / usual) }, () => usual);
  return sizes.map((size, i) => (i >= sizes.length - larger ? large : size));
}

function codeOf(digits: string): string {
  if (/^[17]/.test(digits)) return digits.slice(0, 1);
  const two = digits.slice(0, 2);
  return twoDigits.has(two) ? two : digits.slice(0, 3);
}

function sizesOf(code: string, national: string): readonly number[] {
  const known = groupsOf[code]?.(national);
  if (known === undefined) return usualGroups(national);
  const beforeLast = known.slice(0, -1).reduce((sum, size) => sum + size, 0);
  return national.length - beforeLast < leastInLast ? usualGroups(national) : known;
}

/** `6281234567890` as `+62 812 3456 7890`. An erased number is a dash. */
export function formatPhone(digits: string): string {
  if (!/^\d+$/.test(digits)) return '—';
  const code = codeOf(digits);
  const national = digits.slice(code.length);
  const sizes = sizesOf(code, national);
  let from = 0;
  const groups = sizes.map((size, i) => {
    const start = from;
    from += size;
    return national.slice(start, i === sizes.length - 1 ? undefined : from);
  });
  return `+${[code, ...groups].filter((group) => group !== '').join(' ')}`;
}
