/** The languages of the pages and of the mails. */
export const languages = ['en', 'id'] as const;
export type Language = (typeof languages)[number];

export const isLanguage = (text: unknown): text is Language => languages.some((language) => language === text);
