/** Accepts only a path of this dashboard, so that a link cannot redirect to another site after the sign-in. */
export const safeNext = (next: unknown): string => (typeof next === 'string' && /^\/(?!\/|\\)/.test(next) ? next : '/');

/** Returns the token of an invitation if the person came from its page, or null. */
export const invitationIn = (next: unknown): string | null =>
  /^\/join\/([\w-]+)$/.exec(typeof next === 'string' ? next : '')?.[1] ?? null;
