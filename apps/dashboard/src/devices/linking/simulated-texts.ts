import { defineTexts } from '../../i18n/texts.js';

/** The simulated network has no phone that could scan or type. */
export const simulatedTexts = defineTexts(
  {
    linkNote: 'The network is simulated. No phone is needed.',
    steps:
      'Press “Pretend to scan”|The device connects within seconds|Send to any number, and read it on the page Handset',
    codeSteps:
      'Press “Pretend to type”|The device connects within seconds|Send to any number, and read it on the page Handset',
    type: 'Pretend to type',
  },
  {
    linkNote: 'Jaringannya simulasi. Tidak perlu ponsel.',
    steps:
      'Tekan “Pura-pura memindai”|Perangkat terhubung dalam beberapa detik|Kirim ke nomor mana saja, lalu baca di halaman Ponsel uji',
    codeSteps:
      'Tekan “Pura-pura mengetik”|Perangkat terhubung dalam beberapa detik|Kirim ke nomor mana saja, lalu baca di halaman Ponsel uji',
    type: 'Pura-pura mengetik',
  },
);
