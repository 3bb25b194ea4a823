import type { DashboardData } from '@kurir/contracts/dashboard';
import { defineTexts } from '../i18n/texts.js';
import type { Tone } from '../ui/tone.js';

type ListedDevice = DashboardData<'listDevices'>['devices'][number];
export type Activity = NonNullable<ListedDevice['activity']>;
/** A device as device-queries.ts returns it: always with its activity. */
export type Device = ListedDevice & { readonly activity: Activity };
export type DeviceState = Device['state'];
export type Health = Activity['health']['level'];

export const stateTones: Record<DeviceState, Tone> = {
  connected: 'ok',
  connecting: 'warn',
  pairing: 'accent',
  disconnected: 'neutral',
  banned: 'bad',
};

export const isSettling = (state: DeviceState): boolean => state === 'pairing' || state === 'connecting';

/** Another client uses the device's credentials. The device connects again only when a person asks for it. */
export const isContested = (device: Device): boolean => device.state_reason === 'contested';

export const stateTexts = defineTexts(
  {
    connected: 'Connected',
    connecting: 'Connecting',
    pairing: 'Waiting for the phone',
    disconnected: 'Not linked',
    banned: 'Banned by the network',
    stopped: 'Stopped',
  },
  {
    connected: 'Terhubung',
    connecting: 'Menghubungkan',
    pairing: 'Menunggu ponsel',
    disconnected: 'Belum tertaut',
    banned: 'Diblokir jaringan',
    stopped: 'Berhenti',
  },
);

export const healthTones: Record<Health, Tone> = { well: 'ok', slowed: 'warn', restricted: 'warn', down: 'bad' };

export const healthTexts = defineTexts(
  {
    well: 'Healthy',
    slowed: 'Slowed',
    restricted: 'Restricted',
    down: 'Down',
    wellNote: 'Sending normally.',
    slowedNote:
      'The network refuses now and then, or its daily limit on new chats is near. What waits is tried again by itself.',
    restrictedNote:
      'For now this account writes only to people it knows. Messages to new contacts wait; the rest goes on.',
    downNote: 'Nothing can be sent until the device is linked and connected.',
  },
  {
    well: 'Sehat',
    slowed: 'Melambat',
    restricted: 'Dibatasi',
    down: 'Mati',
    wellNote: 'Jaringan menerima semua yang dikirim.',
    slowedNote:
      'Jaringan sesekali menolak, atau batas harian percakapan baru hampir habis. Yang menunggu dicoba lagi sendiri.',
    restrictedNote:
      'Untuk sementara akun ini hanya menulis ke orang yang dikenal. Pesan ke kontak baru menunggu; sisanya jalan terus.',
    downNote: 'Tidak ada yang bisa dikirim sampai perangkat tertaut dan terhubung.',
  },
);

export const backlogOf = ({ backlog }: Activity): number => backlog.otp + backlog.normal + backlog.bulk;
