/** Keeps the `client_ref` of a draft while the draft stays the same, so that a second Send makes no second message. */
export type DraftRef = {
  of(draft: object): string;
  /** Call this after the draft was stored: the next draft is another message, even with the same text. */
  forget(): void;
};

const randomBytes = 12;

export function createDraftRef(): DraftRef {
  let kept: { readonly draft: string; readonly ref: string } | null = null;
  return {
    of(body) {
      const draft = JSON.stringify(body);
      if (kept?.draft === draft) return kept.ref;
      const random = crypto.getRandomValues(new Uint8Array(randomBytes));
      const ref = `page-${Array.from(random, (byte) => byte.toString(16).padStart(2, '0')).join('')}`;
      kept = { draft, ref };
      return ref;
    },
    forget() {
      kept = null;
    },
  };
}
