import type { ClaimedNotices, NoticeItem } from '@kurir/database';

/** The notices of one mail. There is at least one. */
export type Claimed = Omit<ClaimedNotices, 'items'> & { readonly items: readonly [NoticeItem, ...NoticeItem[]] };
