/** The sentences about a field that breaks a rule. The compiler names a rule that has no sentence. */
import { type FieldFault, fieldRules, type FieldRule } from '@kurir/contracts/dashboard';
import { type Language, useLanguage } from '../i18n/language.js';
import { defineTexts } from '../i18n/texts.js';

type Limits = (limit: string) => string;

const isOne = (limit: string) => limit === '1';

export const fieldTexts = defineTexts<Record<FieldRule, string | Limits>>(
  {
    required: 'Fill this in.',
    unknown: 'This does not belong here. Reload the page.',
    type: 'This is not the right kind of entry.',
    whole_number: 'Write a whole number.',
    choice: 'Choose one of the offered values.',
    too_short: (limit) => (isOne(limit) ? 'Fill this in.' : `At least ${limit} characters.`),
    too_long: (limit) => `At most ${limit} characters.`,
    too_low: (limit) => `Not less than ${limit}.`,
    too_high: (limit) => `Not more than ${limit}.`,
    too_few: (limit) => (isOne(limit) ? 'Choose at least one.' : `Choose at least ${limit}.`),
    too_many: (limit) => `At most ${limit}.`,
    too_far: (limit) => `At most ${limit} days ahead.`,
    past: 'This time is over. Choose a later one.',
    mismatch: 'This is not the same. Type it exactly as shown.',
    not_public: 'This must have a public address.',
    format: 'Check how this is written.',
    email: 'Write a whole email address.',
    address: 'Write a whole address.',
    characters: 'This holds characters that are not allowed.',
    phone_number: 'This is no possible phone number. Check the digits and the country code.',
    other: 'This is not right. Check it.',
  },
  {
    required: 'Isi bagian ini.',
    unknown: 'Isian ini tidak semestinya ada. Muat ulang halaman.',
    type: 'Jenis isiannya tidak sesuai.',
    whole_number: 'Isi dengan bilangan bulat.',
    choice: 'Pilih salah satu yang tersedia.',
    too_short: (limit) => (isOne(limit) ? 'Isi bagian ini.' : `Minimal ${limit} karakter.`),
    too_long: (limit) => `Maksimal ${limit} karakter.`,
    too_low: (limit) => `Tidak boleh kurang dari ${limit}.`,
    too_high: (limit) => `Tidak boleh lebih dari ${limit}.`,
    too_few: (limit) => (isOne(limit) ? 'Pilih minimal satu.' : `Pilih minimal ${limit}.`),
    too_many: (limit) => `Maksimal ${limit}.`,
    too_far: (limit) => `Paling lama ${limit} hari ke depan.`,
    past: 'Waktu ini sudah lewat. Pilih waktu lain.',
    mismatch: 'Tidak sama. Ketik persis seperti yang tertulis.',
    not_public: 'Alamatnya harus alamat publik.',
    format: 'Periksa lagi cara penulisannya.',
    email: 'Isi alamat email yang lengkap.',
    address: 'Isi alamat yang lengkap.',
    characters: 'Ada karakter yang tidak boleh dipakai.',
    phone_number: 'Nomor telepon ini tidak mungkin ada. Periksa angka dan kode negaranya.',
    other: 'Isian ini belum benar. Periksa lagi.',
  },
);

type Broken = Pick<FieldFault, 'rule' | 'limit'>;

export function fieldSentence({ rule, limit }: Broken, language: Language): string {
  const sentence = fieldTexts[language][rule];
  if (typeof sentence === 'string') return sentence;
  return sentence((limit ?? 0).toLocaleString(language === 'id' ? 'id-ID' : 'en-GB'));
}

/** A form keeps the rule and its limit instead of a sentence, because the language may change while it is shown. */
export const errorOfRule = ({ rule, limit }: Broken) => ({
  type: rule,
  message: limit === undefined ? '' : String(limit),
});

type FormError = { readonly type?: unknown; readonly message?: string | undefined };

/** Returns a function that says what is wrong with a field, or `undefined` if nothing is. */
export function useFieldSentence(): (error: FormError | undefined) => string | undefined {
  const language = useLanguage();
  return (error) => {
    if (error === undefined) return undefined;
    const rule = fieldRules.find((known) => known === error.type) ?? 'other';
    return fieldSentence(error.message ? { rule, limit: Number(error.message) } : { rule }, language);
  };
}
