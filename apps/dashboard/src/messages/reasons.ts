/** Sentences for the contract's reasons why a message failed, waits or is unknown, in both languages. */
import { type MessageReason, reasonSentences, type WaitingReason } from '@kurir/contracts/dashboard';
import { defineTexts } from '../i18n/texts.js';

export const reasonTexts = defineTexts<Record<MessageReason, string>>(reasonSentences.en, reasonSentences.id);

export const waitingTexts = defineTexts<Record<WaitingReason, string>>(
  {
    scheduled: 'The message waits for the time that was chosen for it.',
    paused: 'The broadcast of the message is paused.',
    quiet_hours: 'It is marketing, and it may be night where the recipient lives. It goes out in the morning.',
    retry: 'The network refused the message for now. It is tried again.',
    new_contact_allowance: 'The recipient is a new contact, and today’s allowance of new contacts is used up.',
    new_contact_pause: 'The recipient is a new contact, and the device pauses between two of them.',
    network_restriction: 'The recipient is a new contact, and the network lets the device write to none.',
    network_warning: 'The recipient is a new contact. After a second warning of the network the device writes to none.',
  },
  {
    scheduled: 'Pesan menunggu waktu yang sudah dipilih.',
    paused: 'Siaran dari pesan ini sedang dijeda.',
    quiet_hours: 'Ini pesan promosi, dan di tempat penerima mungkin sudah malam. Pesan dikirim pagi nanti.',
    retry: 'Jaringan menolak pesan ini untuk sementara. Nanti dicoba lagi.',
    new_contact_allowance: 'Penerima adalah kontak baru, dan jatah kontak baru hari ini sudah habis.',
    new_contact_pause: 'Penerima adalah kontak baru, dan perangkat memberi jeda di antara dua kontak baru.',
    network_restriction: 'Penerima adalah kontak baru, dan jaringan melarang perangkat ini menulis ke kontak baru.',
    network_warning:
      'Penerima adalah kontak baru. Sesudah peringatan kedua dari jaringan, perangkat tidak menulis ke kontak baru.',
  },
);

export const reasonSentence = (reason: string, sentences: Readonly<Record<string, string>>): string =>
  sentences[reason] ?? reason;
