import { defineTexts } from '../i18n/texts.js';

export const eventTexts = defineTexts(
  {
    title: 'Events',
    note: 'Everything that happens to messages, devices and the account, as programs read it from the feed and from webhooks.',
    type: 'Type',
    anyType: 'Any type',
    device: 'Device',
    anyDevice: 'Any device',
    live: 'Live',
    follows: 'New events appear here at once.',
    broken: 'The connection broke. It comes back by itself.',
    emptyTitle: 'Nothing has happened yet',
    emptyNote: 'Send a message or link a device, and each step appears here.',
    nothing: 'No event matches. Choose another type or device.',
    sendFirst: 'Send a message',
    more: 'Load more',
    json: 'The event as JSON',
    webhooks: 'Get them by webhook',
    groups: {
      message: 'Messages',
      device: 'Devices',
      quota: 'Quota',
      plan: 'Plan',
      renewal: 'Renewals',
      webhook: 'Webhooks',
      contact: 'Contacts',
      broadcast: 'Broadcasts',
    },
  },
  {
    title: 'Peristiwa',
    note: 'Semua yang terjadi pada pesan, perangkat, dan akun, persis seperti yang dibaca program lewat feed dan webhook.',
    type: 'Jenis',
    anyType: 'Semua jenis',
    device: 'Perangkat',
    anyDevice: 'Semua perangkat',
    live: 'Langsung',
    follows: 'Peristiwa baru langsung muncul di sini.',
    broken: 'Koneksi terputus. Nanti tersambung lagi sendiri.',
    emptyTitle: 'Belum ada yang terjadi',
    emptyNote: 'Kirim pesan atau tautkan perangkat, lalu setiap langkahnya muncul di sini.',
    nothing: 'Tidak ada yang cocok. Pilih jenis atau perangkat lain.',
    sendFirst: 'Kirim pesan',
    more: 'Muat lagi',
    json: 'Peristiwa dalam JSON',
    webhooks: 'Terima lewat webhook',
    groups: {
      message: 'Pesan',
      device: 'Perangkat',
      quota: 'Kuota',
      plan: 'Paket',
      renewal: 'Perpanjangan',
      webhook: 'Webhook',
      contact: 'Kontak',
      broadcast: 'Siaran',
    },
  },
);

type GroupName = keyof (typeof eventTexts)['en']['groups'];

/** The name of a group of types. A group of a later version has its own word. */
export const nameOfGroup = (group: string, names: Readonly<Record<GroupName, string>>): string =>
  Object.entries(names).find(([name]) => name === group)?.[1] ?? group;
