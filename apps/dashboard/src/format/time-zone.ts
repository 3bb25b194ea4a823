/** The time zone of the person's browser, such as `Asia/Jakarta`. */
export const ownTimeZone = (): string => Intl.DateTimeFormat().resolvedOptions().timeZone;
