const format = new Intl.NumberFormat('id-ID', { maximumFractionDigits: 0 });

/** Formats an amount like `Rp150.000`. */
export function rupiah(amount: number): string {
  return `Rp${format.format(amount)}`;
}
