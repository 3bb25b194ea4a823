/** The scopes and reasons of suppressions. */

/** `marketing`: the person gets no messages of this category. `all`: the person gets nothing. */
export const suppressionScopes = ['marketing', 'all'] as const;
export type SuppressionScope = (typeof suppressionScopes)[number];

export const suppressionReasons = {
  keyword: 'The person wrote one of the words that opt out.',
  complaint: 'The person complained.',
  manual: 'Somebody of the account added the person.',
  import: 'The person came with a list.',
  bounced: 'The number does not exist.',
} as const;
export type SuppressionReason = keyof typeof suppressionReasons;

/** The reasons that a program or a person may give. */
export const givenSuppressionReasons = [
  'manual',
  'complaint',
  'import',
  'bounced',
] as const satisfies SuppressionReason[];
