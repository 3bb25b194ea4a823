import { useEffect, useState } from 'react';
import type { Draft } from './draft.js';
import { findMistake, type Mistake } from './likely-mistakes.js';
import { isKnownVersion, joined, type Part, partsOf, signatureOf } from './signing.js';

export type Verdict = {
  /** The text that is signed, and its parts. */
  text: string;
  parts: readonly Part[];
  /** Null if the draft has no secret. */
  signature: string | null;
  /** Null if there is no signature to compare. */
  isRight: boolean | null;
  mistake: Mistake | null;
};

async function judge(draft: Draft): Promise<Verdict> {
  const parts = await partsOf(draft);
  const text = joined(parts);
  if (draft.secret === '') return { text, parts, signature: null, isRight: null, mistake: null };
  const signature = await signatureOf(text, draft.secret);
  const given = draft.signature.trim().toLowerCase();
  if (given === '') return { text, parts, signature, isRight: null, mistake: null };
  if (!isKnownVersion(draft.version)) return { text, parts, signature, isRight: false, mistake: 'version_unknown' };
  const isRight = given === signature;
  return { text, parts, signature, isRight, mistake: isRight ? null : await findMistake(draft, draft.secret, given) };
}

/** Judges the draft again after each change. An older verdict never replaces a newer one. */
export function useVerdict(draft: Draft): Verdict | null {
  const [verdict, setVerdict] = useState<Verdict | null>(null);
  useEffect(() => {
    let isCurrent = true;
    const show = async () => {
      const next = await judge(draft);
      if (isCurrent) setVerdict(next);
    };
    void show();
    return () => {
      isCurrent = false;
    };
  }, [draft]);
  return verdict;
}
