/** Further words for each page, in both languages: what people call the page, or look for there. */
import type { Destination } from '../ground/destinations.js';

export const pageWords: Readonly<Record<Destination['name'], string>> = {
  overview: 'home dashboard report statistics chart latency beranda dasbor laporan statistik grafik',
  messages: 'history log status delivered failed otp riwayat terkirim gagal',
  conversations: 'chat inbox reply incoming obrolan kotak masuk balas balasan',
  contacts: 'people customers address book import csv lists pelanggan orang daftar impor',
  broadcasts: 'campaign bulk marketing promotion kampanye massal promosi',
  suppressions: 'stop unsubscribe opt out blacklist blocked berhenti blokir langganan',
  send: 'test code sample curl uji coba tes contoh kode',
  templates: 'text variables teks variabel',
  devices: 'phone whatsapp link number qr ponsel nomor tautkan',
  handset: 'simulator sandbox pretend phone ponsel simulasi',
  keys: 'token secret credentials scope rahasia kredensial',
  webhooks: 'callback endpoint url',
  events: 'feed log stream kejadian',
  debugger: 'signature hmac 401 tanda tangan',
  billing: 'renew payment invoice quota price perpanjang bayar pembayaran faktur kuota harga langganan',
  members: 'team people invite role users tim orang undang peran pengguna',
  audit: 'history who changed riwayat siapa mengubah',
  notices: 'alerts mail email bell peringatan lonceng',
  security: 'password passkey two factor 2fa sessions devices kata sandi dua langkah sesi',
  requests: 'api log status code error latency permintaan kesalahan',
  profile: 'name email language leave account nama bahasa keluar akun',
  admin: 'operator accounts plans workers akun paket',
};
