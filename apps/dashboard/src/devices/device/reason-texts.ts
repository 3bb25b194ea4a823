/** Why a device is in its state, and what a person can do. The compiler names a reason that has no sentence. */
import type { DeviceReason } from '@kurir/contracts/dashboard';
import { defineTexts } from '../../i18n/texts.js';
import { linkEndSentence, linkTexts } from '../linking/link-texts.js';
import type { Device } from '../state.js';
import type { Language } from '../../i18n/language.js';

export const reasonTexts = defineTexts<Record<DeviceReason, string>>(
  {
    connection_lost: 'The connection to the network broke. Kurir opens it again by itself.',
    restart_required: 'The network asked for a new connection. Kurir opens it by itself.',
    network_unavailable: 'The network cannot be reached, or has no room. Kurir tries again by itself.',
    rate_limited_by_network:
      'For a while, the network accepts no connection from this address. Kurir connects the device again by itself.',
    proxy_failed: 'The proxy cannot be reached, or refuses Kurir. Check the proxy. Kurir tries again by itself.',
    proxy_not_allowed:
      'The proxy has an address that this gateway does not connect to. Set a proxy with a public address.',
    replaced: 'Another program connected with this link. Kurir connects the device again by itself.',
    contested:
      'Another program keeps connecting with this link, so Kurir has stopped. The messages keep waiting. Stop the other program, then reconnect. Or disconnect the device and link it again.',
    closed_by_us: 'Kurir closed the connection for a moment, and opens it again by itself.',
    temporarily_banned: 'The network has banned the account for some time. Kurir connects it again when the ban ends.',
    banned:
      'The network has closed the account. The app on its phone says why, and accepts an appeal. Link the device again once the account is back.',
    logged_out: 'The device is not linked any more. Link it again to send with it.',
    credentials_invalid: 'The link is not valid any more. Link the device again.',
    credentials_unreadable:
      'Kurir cannot read the keys of this device. The operator of the gateway can start it with its earlier master key. If that key is lost, disconnect the device and link it again.',
    proxy_unreadable: 'Kurir cannot read the stored address of the proxy. Set the proxy again.',
    no_capacity:
      'The gateway has no free place for the device at the moment. Kurir connects it as soon as one is free.',
    account_suspended:
      'The operator of this gateway has suspended your account. The device connects again when that ends. Messages keep waiting.',
    no_driver:
      'This gateway does not serve the network of the device any more. Ask its operator, or disconnect the device.',
    client_outdated:
      'The network refuses this version of Kurir. Kurir looks for a newer one by itself. If this stays for hours, the operator of the gateway has to update it.',
    not_logged_out:
      'Kurir unlinked the device, but could not tell the network. Remove it from the linked devices on the phone, too.',
    link_expired: linkTexts.en.link_expired,
    link_cancelled: linkTexts.en.link_cancelled,
    link_failed: linkTexts.en.link_failed,
  },
  {
    connection_lost: 'Koneksi ke jaringan terputus. Kurir menyambungkannya lagi secara otomatis.',
    restart_required: 'Jaringan meminta koneksi baru. Kurir membukanya secara otomatis.',
    network_unavailable: 'Jaringan tidak terjangkau atau sedang penuh. Kurir mencoba lagi secara otomatis.',
    rate_limited_by_network:
      'Jaringan sementara menolak koneksi dari alamat ini. Kurir menghubungkan perangkat lagi secara otomatis.',
    proxy_failed: 'Proxy tidak terjangkau atau menolak Kurir. Periksa proxy. Kurir mencoba lagi secara otomatis.',
    proxy_not_allowed: 'Gateway ini tidak boleh memakai alamat proxy tersebut. Pasang proxy dengan alamat publik.',
    replaced: 'Ada program lain yang memakai tautan ini. Kurir menghubungkan perangkat lagi secara otomatis.',
    contested:
      'Ada program lain yang terus memakai tautan ini, jadi Kurir berhenti. Pesan tetap menunggu. Hentikan program itu, lalu hubungkan lagi. Atau putuskan perangkat dan tautkan ulang.',
    closed_by_us: 'Kurir menutup koneksi sebentar, lalu membukanya lagi secara otomatis.',
    temporarily_banned:
      'Jaringan memblokir akun ini untuk sementara. Kurir menghubungkannya lagi setelah blokirnya berakhir.',
    banned:
      'Jaringan menutup akun ini. Sebabnya tertulis di aplikasi di ponselnya, dan Anda bisa mengajukan banding di sana. Tautkan lagi kalau akunnya sudah kembali.',
    logged_out: 'Perangkat sudah tidak tertaut. Tautkan lagi untuk mengirim.',
    credentials_invalid: 'Tautannya sudah tidak berlaku. Tautkan lagi perangkat ini.',
    credentials_unreadable:
      'Kunci perangkat ini tidak terbaca. Pengelola gateway bisa menjalankannya dengan kunci utama yang lama. Kalau kuncinya hilang, putuskan perangkat lalu tautkan ulang.',
    proxy_unreadable: 'Alamat proxy yang tersimpan tidak terbaca. Pasang lagi proxy-nya.',
    no_capacity: 'Gateway belum punya tempat untuk perangkat ini. Kurir menghubungkannya begitu ada yang kosong.',
    account_suspended:
      'Pengelola gateway menangguhkan akun Anda. Perangkat terhubung lagi setelah penangguhan berakhir. Pesan tetap menunggu.',
    no_driver: 'Gateway ini tidak lagi melayani jaringan perangkat. Hubungi pengelolanya, atau putuskan perangkat.',
    client_outdated:
      'Jaringan menolak versi Kurir ini. Kurir mencari versi baru secara otomatis. Kalau berjam-jam tetap begini, pengelola gateway perlu memperbaruinya.',
    not_logged_out:
      'Perangkat sudah diputus, tetapi jaringan belum tahu. Hapus juga dari daftar perangkat tertaut di ponsel.',
    link_expired: linkTexts.id.link_expired,
    link_cancelled: linkTexts.id.link_cancelled,
    link_failed: linkTexts.id.link_failed,
  },
);

const isKnown = (reason: string): reason is DeviceReason => Object.hasOwn(reasonTexts.en, reason);

type Stated = Pick<Device, 'state_reason' | 'state_detail'>;

/** Returns null if the state of the device has no reason, or one that this page does not know yet. */
export function reasonSentence(device: Stated, language: Language): string | null {
  const { state_reason: reason } = device;
  if (reason === null) return null;
  return linkEndSentence(device, linkTexts[language]) ?? (isKnown(reason) ? reasonTexts[language][reason] : null);
}
