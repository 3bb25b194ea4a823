/** Makes a number that people can read aloud. It is unique, because the last characters of a renewal's id are random. */
export function invoiceNumber({ id, paidAt }: { readonly id: string; readonly paidAt: Date }): string {
  return `KRR-${paidAt.toISOString().slice(0, 10).replaceAll('-', '')}-${id.slice(-8).toUpperCase()}`;
}
