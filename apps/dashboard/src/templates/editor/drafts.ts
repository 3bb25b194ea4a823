/** The drafts that somebody has begun, by person, account and template, until the page is closed. */
import { useState } from 'react';
import { useMe } from '../../session/me.js';
import type { Template } from '../template-queries.js';

export type Draft = {
  readonly name: string;
  readonly text: string;
  readonly footer: string;
  /** The version that the draft began with. 0: the template does not exist yet. */
  readonly base: number;
};

const drafts = new Map<string, Draft>();

const stored = (template: Template | null): Draft => ({
  name: template?.name ?? '',
  text: template?.text ?? '',
  footer: template?.footer ?? '',
  base: template?.version ?? 0,
});

export type Drafting = {
  readonly draft: Draft;
  readonly isChanged: boolean;
  readonly change: (part: Partial<Omit<Draft, 'base'>>) => void;
  /** Forgets the draft, so that the stored template is shown. */
  readonly discard: () => void;
};

/** Shows the stored template until somebody changes a part of it. Null: a new template. */
export function useDraft(template: Template | null): Drafting {
  const { user, account } = useMe();
  const id = `${user.user_id} ${account.account_id} ${template?.template_id ?? 'new'}`;
  const [, setCount] = useState(0);
  const begun = drafts.get(id);
  const draft = begun ?? stored(template);
  const show = () => setCount((count) => count + 1);
  return {
    draft,
    isChanged: begun !== undefined,
    change: (part) => {
      drafts.set(id, { ...draft, ...part });
      show();
    },
    discard: () => {
      drafts.delete(id);
      show();
    },
  };
}
