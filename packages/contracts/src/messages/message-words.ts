/** The words of people for the statuses of messages and their reasons. */
import type { Language } from '../fields/language.js';
import { type MessageReason, messageReasons } from './message-reasons.js';
import type { ShownMessageStatus } from './message-status.js';

type Words<Key extends string> = Readonly<Record<Language, Readonly<Record<Key, string>>>>;

export const statusWords: Words<ShownMessageStatus> = {
  en: {
    scheduled: 'Scheduled',
    queued: 'Queued',
    sending: 'Sending',
    sent: 'Sent',
    delivered: 'Delivered',
    read: 'Read',
    failed: 'Failed',
    expired: 'Expired',
    cancelled: 'Cancelled',
    unknown: 'Unknown',
  },
  id: {
    scheduled: 'Terjadwal',
    queued: 'Masuk antrean',
    sending: 'Sedang dikirim',
    sent: 'Terkirim',
    delivered: 'Tersampaikan',
    read: 'Dibaca',
    failed: 'Gagal',
    expired: 'Kedaluwarsa',
    cancelled: 'Dibatalkan',
    unknown: 'Tidak diketahui',
  },
};

export const reasonSentences: Words<MessageReason> = {
  en: messageReasons,
  id: {
    recipient_not_on_network: 'Nomor ini tidak punya akun di jaringan.',
    recipient_unavailable: 'Penerima sedang tidak bisa dihubungi.',
    rejected_by_network: 'Jaringan menolak pesan ini.',
    rate_limited_by_network: 'Jaringan meminta pelan-pelan; pesan dicoba lagi.',
    new_contacts_restricted:
      'Akun ini belum boleh menulis ke kontak baru lagi: dilarang jaringan, atau jatahnya sudah habis.',
    recipient_token_required:
      'Jaringan baru menerima pesan ke orang ini setelah ia menulis ke akun Anda. Minta ia menulis lebih dulu; pesan dicoba lagi sendiri.',
    recipient_address_refused:
      'Jaringan menolak kedua alamat orang ini. Minta ia menulis ke akun Anda sekali, lalu kirim lagi pesannya.',
    temporarily_unavailable: 'Jaringan menolak untuk sementara; pesan dicoba lagi.',
    content_unreadable: 'Isi pesan ini tidak bisa dibaca lagi, jadi tidak dikirim.',
    recipient_suppressed: 'Penerima berhenti berlangganan, atau nomornya diblokir, sebelum pesan berangkat.',
    device_unlinked: 'Perangkat diputuskan sebelum pesan berangkat.',
    no_answer: 'Jaringan tidak pernah memberi tahu apakah pesan diterimanya.',
  },
};
