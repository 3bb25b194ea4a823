/** The reasons for the state of a device and for the end of a webhook, as parts of a sentence in both languages. */
import type { DeviceReason } from '@kurir/contracts';
import type { Both } from '../mail/letter.js';

const reconnects: Both = [
  'Kurir mencoba menyambungkannya lagi. Pesannya menunggu sampai itu berhasil.',
  'Kurir goes on trying to connect it. Its messages wait until it succeeds.',
];
const relink: Both = [
  'Tautkan lagi perangkat itu dari halamannya. Pesan yang menunggu sudah gagal, dan kuotanya kembali.',
  'Link the device again from its page. The messages that waited have failed, and their quota came back.',
];
const look: Both = [
  'Buka halaman perangkat: di sana tertulis apa yang perlu dilakukan.',
  'Open the page of the device: it says what to do.',
];

type Words = { readonly why: Both; readonly next: Both };

const reasons: Record<DeviceReason, Words> = {
  connection_lost: { why: ['sambungan ke jaringan putus', 'the connection to the network broke'], next: reconnects },
  restart_required: {
    why: ['jaringan meminta sambungan baru', 'the network asked for a new connection'],
    next: reconnects,
  },
  network_unavailable: { why: ['jaringan tidak bisa dijangkau', 'the network cannot be reached'], next: reconnects },
  rate_limited_by_network: {
    why: [
      'jaringan sementara menolak sambungan dari gateway ini',
      'the network accepts no connection from this gateway for a while',
    ],
    next: reconnects,
  },
  proxy_failed: { why: ['proxy tidak bisa dipakai', 'its proxy does not work'], next: look },
  proxy_not_allowed: { why: ['alamat proxy tidak diizinkan', 'the address of its proxy is not allowed'], next: look },
  replaced: { why: ['program lain memakai tautan perangkat ini', 'another program uses its link'], next: reconnects },
  contested: {
    why: ['program lain terus memakai tautan perangkat ini', 'another program keeps using its link'],
    next: look,
  },
  closed_by_us: {
    why: ['Kurir menutup sambungan sebentar', 'Kurir closed the connection for a moment'],
    next: reconnects,
  },
  temporarily_banned: {
    why: ['diblokir sementara oleh jaringan', 'banned by the network for some time'],
    next: reconnects,
  },
  banned: { why: ['akunnya ditutup oleh jaringan', 'the network has closed the account'], next: look },
  logged_out: { why: ['tautannya dicabut dari ponsel', 'its link was ended from the phone'], next: relink },
  credentials_invalid: { why: ['tautannya tidak berlaku lagi', 'its link is not valid any more'], next: relink },
  credentials_unreadable: { why: ['kunci tersimpannya tidak terbaca', 'its stored keys cannot be read'], next: look },
  proxy_unreadable: { why: ['alamat proxy tidak terbaca', 'the address of its proxy cannot be read'], next: look },
  no_capacity: {
    why: ['tidak ada worker yang punya tempat untuknya', 'no worker has a place for it'],
    next: reconnects,
  },
  account_suspended: {
    why: ['akunnya ditangguhkan pengelola gateway', 'the operator of the gateway has suspended its account'],
    next: look,
  },
  no_driver: {
    why: ['gateway ini tidak lagi melayani jaringannya', 'this gateway no longer speaks its network'],
    next: look,
  },
  client_outdated: {
    why: ['jaringan menolak versi klien', 'the network refuses the version of the client'],
    next: reconnects,
  },
  not_logged_out: { why: ['perangkat diputus', 'the device was unlinked'], next: relink },
  link_expired: { why: ['kode tidak dipakai', 'the code was not used'], next: relink },
  link_cancelled: { why: ['penautan dibatalkan', 'linking was cancelled'], next: relink },
  link_failed: { why: ['penautan gagal', 'linking failed'], next: relink },
};

const known = (reason: string): reason is DeviceReason => Object.hasOwn(reasons, reason);

export const whyAway = (reason: string | null): Both | null =>
  reason !== null && known(reason) ? reasons[reason].why : null;

export const nextWhenAway = (reason: string | null): Both =>
  reason !== null && known(reason) ? reasons[reason].next : reconnects;
