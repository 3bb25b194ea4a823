/** What can still be done about a message. */
import { refundedStatuses } from '@kurir/contracts';
import type { MessageHistory, MessageView } from '@kurir/database';

/** Only what certainly did not go out: of anything else a second copy could arrive. */
export const mayRetry = ({ status }: MessageView): boolean => (refundedStatuses as readonly string[]).includes(status);

export const mayCancel = ({ message: { status }, unanswered }: MessageHistory): boolean =>
  (status === 'queued' || status === 'scheduled') && unanswered === 0;
