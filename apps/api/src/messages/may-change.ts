/** The changes that a message still allows. */
import { refundedStatuses } from '@kurir/contracts';
import type { MessageHistory, MessageView } from '@kurir/database';

/** Only a message that certainly was not sent may be retried. Any other one could arrive twice. */
export const mayRetry = ({ status }: MessageView): boolean => (refundedStatuses as readonly string[]).includes(status);

export const mayCancel = ({ message: { status }, unanswered }: MessageHistory): boolean =>
  (status === 'queued' || status === 'scheduled') && unanswered === 0;
