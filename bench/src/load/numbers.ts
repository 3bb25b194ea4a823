/** Numbers that no other part of the benchmark writes to: possible ones, and known to the network. */
export const numbersFrom = (prefix: string, count: number, first = 0): string[] =>
  Array.from({ length: count }, (_, n) => `${prefix}${String(first + n).padStart(7, '0')}1`);
