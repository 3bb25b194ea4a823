/** Keeps the `client_ref` of a draft while the draft stays the same, so that a second Send makes no second message. */
export type DraftRef = {
  of(draft: object): string;
  /** Call this after the draft was stored: the next draft is another message, even with the same text. */
  forget(): void;
};

const randomBytes = 12;

/** A `client_ref` that nobody has used before. */
export function newClientRef(): string {
  const random = crypto.getRandomValues(new Uint8Array(randomBytes));
  return `page-${Array.from(random, (byte) => byte.toString(16).padStart(2, '0')).join('')}`;
}

export function createDraftRef(): DraftRef {
  let kept: { readonly draft: string; readonly ref: string } | null = null;
  return {
    of(body) {
      const draft = JSON.stringify(body);
      if (kept?.draft === draft) return kept.ref;
      kept = { draft, ref: newClientRef() };
      return kept.ref;
    },
    forget() {
      kept = null;
    },
  };
}
