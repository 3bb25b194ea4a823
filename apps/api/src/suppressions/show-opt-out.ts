import type { DataOf, OptOutSettings } from '@kurir/contracts';

export const showOptOut = ({ stopWords, startWords, stopReply, startReply }: OptOutSettings): DataOf<'getOptOut'> => ({
  stop_words: [...stopWords],
  start_words: [...startWords],
  stop_reply: stopReply,
  start_reply: startReply,
});
