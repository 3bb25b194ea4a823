/** Only a path of this dashboard: a link from elsewhere must not lead on to another site. */
export const safeNext = (next: unknown): string => (typeof next === 'string' && /^\/(?!\/|\\)/.test(next) ? next : '/');
