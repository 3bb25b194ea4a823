/** Numeric text; `Unlimited` for null. */
export function quotaText(quota: number | null): string {
  return quota === null ? 'Unlimited' : String(quota);
}
