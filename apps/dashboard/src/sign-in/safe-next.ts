/** Accepts only a path of this dashboard, so that a link cannot redirect to another site after the sign-in. */
export const safeNext = (next: unknown): string => (typeof next === 'string' && /^\/(?!\/|\\)/.test(next) ? next : '/');
