/** Possible phone numbers that the network knows and that no other part of the benchmark writes to. */
export const numbersFrom = (prefix: string, count: number, first = 0): string[] =>
  Array.from({ length: count }, (_, n) => `${prefix}${String(first + n).padStart(7, '0')}1`);
