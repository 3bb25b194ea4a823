import { defineTexts } from '../i18n/texts.js';

export const paletteTexts = defineTexts(
  {
    addDevice: 'Add a device',
    createKey: 'Create an API key',
    theme: 'Switch between light and dark',
    language: 'Ganti ke Bahasa Indonesia',
  },
  {
    addDevice: 'Tambah perangkat',
    createKey: 'Buat kunci API',
    theme: 'Ganti terang dan gelap',
    language: 'Switch to English',
  },
);
