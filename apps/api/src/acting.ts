import type { AccountId, ApiKeyId, UserId } from '@kurir/contracts';

/** On whose behalf something happens: a key's, through the signed api, or a person's, through the dashboard. */
export type Acting = { readonly accountId: AccountId; readonly actor: ApiKeyId | UserId };
