/** The sentences for linking that failed, in both languages. The contract defines the failures. */
import { isLinkFailure, linkFailures } from '@kurir/contracts/dashboard';
import { defineTexts } from '../../i18n/texts.js';
import type { Device } from '../state.js';

const ends = {
  link_expired: 'Nobody used the code in time. Ask for a new one.',
  link_cancelled: 'Linking was cancelled.',
  link_failed: 'Linking did not succeed. Try it again.',
} as const;

export const linkTexts = defineTexts<Record<keyof typeof ends | keyof typeof linkFailures, string>>(
  { ...ends, ...linkFailures },
  {
    link_expired: 'Kodenya keburu habis sebelum dipakai. Minta kode baru.',
    link_cancelled: 'Penautan dibatalkan.',
    link_failed: 'Penautan tidak berhasil. Coba lagi.',
    phone_number_missing: 'Kode untuk diketik dibuat untuk satu nomor. Isi nomornya, atau tautkan dengan QR.',
    phone_not_on_network: 'Nomor ini tidak punya akun di jaringan. Periksa nomor dan kode negaranya.',
    passkey_required:
      'Jaringan hanya mau menautkan akun ini dengan kunci sandi (passkey), dan Kurir belum bisa menjawabnya. Lewat QR maupun kode hasilnya sama. Menghapus kunci sandi tidak menolong: ponsel akan minta dibuatkan yang baru. Tidak semua akun dimintai ini: tautkan akun lain.',
    identity_not_authentic:
      'Yang diterima dari jaringan tidak ditandatangani dengan rahasia kode ini, jadi tidak ada yang ditautkan. Pakai kode yang sedang tampil di gateway ini. Kalau terulang, ada sesuatu di tengah jalan yang mengubah data antara ponsel dan Kurir.',
    credentials_not_stored:
      'Ponsel sudah setuju, tetapi gateway ini gagal menyimpan kuncinya, jadi perangkat tidak tertaut di kedua sisi. Coba lagi; sebabnya ada di log worker.',
    rejected_by_network: 'Jaringan menolak menautkan nomor ini lewat kode. Periksa nomornya, atau tautkan dengan QR.',
    rate_limited_by_network:
      'Sudah terlalu banyak percobaan dari nomor ini atau dari alamat gateway ini. Tunggu beberapa waktu, lalu coba lagi.',
    client_outdated:
      'Jaringan menolak versi kliennya. Selama KURIR_WHATSAPP_VERSION tidak mengunci versinya, gateway ini mencari yang lebih baru sendiri: coba lagi beberapa menit lagi. Kalau tidak ketemu, operatornya mengisi KURIR_WHATSAPP_VERSION dengan versi yang lebih baru, atau memperbarui Kurir.',
    network_unavailable: 'Jaringan tidak bisa dihubungi atau tidak menjawab. Coba lagi.',
    connection_lost: 'Koneksi ke jaringan putus sebelum ponsel memakai kodenya. Minta kode baru.',
    replaced: 'Ada percobaan lain yang mengambil alih penautan perangkat ini. Pakai kode yang tampil di sana.',
    protocol_error: 'Jawaban jaringan tidak dipahami Kurir. Coba lagi; kalau gagal lagi, Kurir harus diperbarui.',
    proxy_failed:
      'Proxy perangkat ini tidak ada, menolak Kurir, tidak meneruskannya, atau namanya tidak mengarah ke alamat publik. Periksa proxy, lalu coba lagi.',
    proxy_not_allowed:
      'Proxy perangkat ini berada di alamat dalam jaringan (privat, loopback, atau link-local), yang tidak dihubungi gateway ini. Pasang proxy dengan alamat publik, lalu coba lagi.',
    proxy_unreadable: 'Alamat proxy yang tersimpan tidak terbaca. Pasang proxy lagi, lalu coba lagi.',
    no_driver:
      'Gateway ini tidak melayani jaringan perangkat ini. Operatornya bisa menyiapkannya (jaringan simulasi dengan KURIR_SIMULATOR_URL).',
  },
);

/** Returns null if the device is not in this state because of linking. */
export function linkEndSentence(
  { state_reason: reason, state_detail: detail }: Pick<Device, 'state_reason' | 'state_detail'>,
  texts: Record<keyof typeof ends | keyof typeof linkFailures, string>,
): string | null {
  if (reason === 'link_failed' && isLinkFailure(detail)) return texts[detail];
  return reason !== null && isLinkEnd(reason) ? texts[reason] : null;
}

function isLinkEnd(reason: string): reason is keyof typeof ends {
  return Object.hasOwn(ends, reason);
}
