import { useEffect, useState } from 'react';
import { call } from '../../../http/call.js';
import type { Conversation } from '../../conversation-queries.js';
import { createTypist, type Typist } from './typist.js';

/** A signal that does not arrive is no loss, so its failure is not shown. */
export function useTypist({ conversation_id: id, device_id: deviceId }: Conversation): Typist {
  const [typist] = useState(() =>
    createTypist((action) => {
      call('chatPresence', { deviceId, body: { action, conversation_id: id } }).catch(() => undefined);
    }),
  );
  useEffect(() => () => typist.stop(), [typist]);
  return typist;
}
