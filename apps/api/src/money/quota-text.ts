/** Returns the quota as digits, or `Unlimited` for null. */
export function quotaText(quota: number | null): string {
  return quota === null ? 'Unlimited' : String(quota);
}
