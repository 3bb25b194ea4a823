import { defineTexts } from '../../i18n/texts.js';

export const wizardTexts = defineTexts(
  {
    title: 'New broadcast',
    steps: { whom: 'To whom', message: 'Message', check: 'Check', send: 'Send' },
    stepOf: (step: number, all: number) => `Step ${step} of ${all}`,
    back: 'Back',
    next: 'Next',
    discard: 'Start over',
    discardTitle: 'Throw this broadcast away?',
    discardNote: 'All that you have typed here is gone. Nothing was sent.',
    discardAction: 'Throw away',
    viewerOnly: 'Developers of this account can send broadcasts. You can look at those that were sent.',
  },
  {
    title: 'Siaran baru',
    steps: { whom: 'Untuk siapa', message: 'Pesan', check: 'Periksa', send: 'Kirim' },
    stepOf: (step: number, all: number) => `Langkah ${step} dari ${all}`,
    back: 'Kembali',
    next: 'Lanjut',
    discard: 'Mulai dari awal',
    discardTitle: 'Buang siaran ini?',
    discardNote: 'Semua yang Anda ketik di sini hilang. Belum ada yang dikirim.',
    discardAction: 'Buang',
    viewerOnly: 'Yang bisa mengirim siaran adalah pengembang di akun ini. Anda bisa melihat yang sudah dikirim.',
  },
);
