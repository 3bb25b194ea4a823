/** Formats rupiah as each language writes them: `Rp150.000` and `Rp 150,000`. The space does not break. */
const written = {
  id: { locale: 'id-ID', before: 'Rp' },
  en: { locale: 'en-GB', before: 'Rp\u00a0' },
} as const;

export function rupiah(amount: number, language: keyof typeof written): string {
  const { locale, before } = written[language];
  return `${before}${new Intl.NumberFormat(locale, { maximumFractionDigits: 0 }).format(amount)}`;
}
