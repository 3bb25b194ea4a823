import { limits, type RequestOutcome } from '@kurir/contracts/dashboard';
import { defineTexts } from '../i18n/texts.js';

const { requestLogDays: days, requestLogPerMinute: most } = limits;

export const requestTexts = defineTexts(
  {
    title: 'Requests',
    note: `What your programs asked the API in the last ${days} days. For each key and minute, up to ${most} successes and ${most} refusals are listed, and the rest is counted. Ids, texts and numbers are not kept.`,
    time: 'Time',
    request: 'Request',
    status: 'Status',
    key: 'Key',
    duration: 'Duration',
    address: 'IP address',
    requestId: 'Request ID',
    aborted: 'Aborted',
    more: (count: string) => `${count} more requests in this minute are only counted.`,
    otherVersion: 'Operation of another version',
    search: 'Request ID, req_…',
    anyKey: 'All keys',
    outcome: 'Status',
    anyOutcome: 'Any status',
    operation: 'Operation',
    anyOperation: 'All operations',
    code: 'Error code',
    anyCode: 'Any code',
    clear: 'Clear filters',
    empty: 'No requests in the last days. They appear here a few seconds after your program asked.',
    noneFits: 'No request fits these filters.',
    searchOn: 'Nothing yet among the newest requests. Load more to search on.',
    unsigned: 'The signature was wrong. Somebody may only know the ID of the key.',
  },
  {
    title: 'Permintaan',
    note: `Permintaan program Anda ke API dalam ${days} hari terakhir. Per kunci dan menit, hingga ${most} yang berhasil dan ${most} yang ditolak dicantumkan; sisanya hanya dihitung. ID, teks, dan nomor tidak disimpan.`,
    time: 'Waktu',
    request: 'Permintaan',
    status: 'Status',
    key: 'Kunci',
    duration: 'Durasi',
    address: 'Alamat IP',
    requestId: 'ID permintaan',
    aborted: 'Terputus',
    more: (count: string) => `${count} permintaan lain pada menit ini hanya dihitung.`,
    otherVersion: 'Operasi dari versi lain',
    search: 'ID permintaan, req_…',
    anyKey: 'Semua kunci',
    outcome: 'Status',
    anyOutcome: 'Semua status',
    operation: 'Operasi',
    anyOperation: 'Semua operasi',
    code: 'Kode kesalahan',
    anyCode: 'Semua kode',
    clear: 'Hapus filter',
    empty:
      'Belum ada permintaan beberapa hari ini. Permintaan muncul di sini beberapa detik setelah program Anda mengirimnya.',
    noneFits: 'Tidak ada permintaan yang cocok dengan filter ini.',
    searchOn: 'Belum ditemukan di antara permintaan terbaru. Muat lagi untuk mencari lebih jauh.',
    unsigned: 'Tanda tangan salah. Mungkin seseorang hanya tahu ID kuncinya.',
  },
);

const outcomes = {
  '2xx': '2xx – succeeded',
  '4xx': '4xx – refused',
  '5xx': '5xx – failed here',
  aborted: 'Aborted by the caller',
} as const satisfies Record<RequestOutcome, string>;

const outcomesInIndonesian: Record<RequestOutcome, string> = {
  '2xx': '2xx – berhasil',
  '4xx': '4xx – ditolak',
  '5xx': '5xx – gagal di sini',
  aborted: 'Diputus pemanggil',
};

export const outcomeTexts = defineTexts(outcomes, outcomesInIndonesian);
