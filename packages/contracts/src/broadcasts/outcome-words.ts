/** The words of people for the outcomes of recipients and their reasons. */
import type { Language } from '../fields/language.js';
import { reasonSentences, statusWords } from '../messages/message-words.js';
import type { MessageStatus } from '../messages/message-status.js';
import type { SkipReason } from './broadcast-states.js';

export const skipSentences: Readonly<Record<Language, Readonly<Record<SkipReason, string>>>> = {
  en: {
    invalid_number: 'This is no possible phone number.',
    unreadable_row: 'The row of the file is broken.',
    duplicate: 'The number stands in the list twice. The person gets one message.',
    missing_value: 'A value that the text needs is empty.',
    text_refused: 'The text would be empty or too long.',
    suppressed: 'The person opted out.',
    too_often: 'The person has got a promotion from you within 24 hours.',
    no_open_hour: 'There is no hour at which it is day everywhere the person may live.',
    cancelled: 'The broadcast was cancelled before.',
    erased: 'The person was erased.',
  },
  id: {
    invalid_number: 'Nomor teleponnya tidak mungkin ada.',
    unreadable_row: 'Baris di berkasnya rusak.',
    duplicate: 'Nomornya ada dua kali di daftar. Orangnya tetap menerima satu pesan.',
    missing_value: 'Data yang dibutuhkan teksnya kosong.',
    text_refused: 'Teksnya jadi kosong atau terlalu panjang.',
    suppressed: 'Orangnya tidak mau menerima pesan ini.',
    too_often: 'Orangnya sudah menerima promosi dari Anda dalam 24 jam ini.',
    no_open_hour: 'Tidak ada jam yang masih siang di semua tempat orangnya mungkin tinggal.',
    cancelled: 'Siarannya keburu dibatalkan.',
    erased: 'Data orangnya sudah dihapus.',
  },
};

type Outcome = 'pending' | 'skipped' | MessageStatus;

export const outcomeWords: Readonly<Record<Language, Readonly<Record<Outcome, string>>>> = {
  en: { ...statusWords.en, pending: 'Waiting', skipped: 'Not sent to' },
  id: { ...statusWords.id, pending: 'Menunggu', skipped: 'Tidak dikirimi' },
};

/** A reason of a newer version stays as it is. */
export function outcomeReason(reason: string, language: Language): string {
  const known: Readonly<Record<string, string>> = { ...reasonSentences[language], ...skipSentences[language] };
  return known[reason] ?? reason;
}
