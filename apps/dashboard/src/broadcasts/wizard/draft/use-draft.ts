import { useState } from 'react';
import { useMe } from '../../../session/me.js';
import { changed, type Draft, readDraft, writeDraft } from './draft.js';

export type Drafting = {
  readonly draft: Draft;
  readonly change: (part: Partial<Draft>) => void;
  readonly discard: () => void;
};

export function useDraft(): Drafting {
  const { user, account } = useMe();
  const who = `${user.user_id} ${account.account_id}`;
  const [, setCount] = useState(0);
  const show = () => setCount((count) => count + 1);
  return {
    draft: readDraft(who),
    // A part that arrives late, such as an upload, must not undo what was typed meanwhile.
    change: (part) => {
      writeDraft(who, changed(readDraft(who), part));
      show();
    },
    discard: () => {
      writeDraft(who, null);
      show();
    },
  };
}
