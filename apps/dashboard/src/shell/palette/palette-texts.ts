import { defineTexts } from '../../i18n/texts.js';

export const paletteTexts = defineTexts(
  {
    addDevice: 'Add a device',
    createKey: 'Create an API key',
    invite: 'Invite somebody',
    renew: 'Renew the plan',
    docs: 'Open the documentation',
    theme: 'Switch between light and dark',
    language: 'Ganti ke Bahasa Indonesia',
    signOut: 'Sign out',
  },
  {
    addDevice: 'Tambah perangkat',
    createKey: 'Buat kunci API',
    invite: 'Undang seseorang',
    renew: 'Perpanjang paket',
    docs: 'Buka dokumentasi',
    theme: 'Ganti terang dan gelap',
    language: 'Switch to English',
    signOut: 'Keluar',
  },
);
