import { defineTexts } from '../../../i18n/texts.js';

export const checkStepTexts = defineTexts(
  {
    name: 'Name of the broadcast',
    nameHint: 'Only you see it.',
    usualName: (day: string) => `Broadcast of ${day}`,
    when: 'When does it begin?',
    whens: { now: 'At once', later: 'At a time' },
    sendAt: 'Day and time',
    past: 'This time is over. Choose a later one.',
    more: 'More: hours, limits, speed',
    check: 'Check',
    checkAgain: 'Check again',
    checking: 'Checking',
    changed: 'Something has changed. Check again to see the result.',
  },
  {
    name: 'Nama siaran',
    nameHint: 'Hanya Anda yang melihatnya.',
    usualName: (day: string) => `Siaran ${day}`,
    when: 'Kapan dimulai?',
    whens: { now: 'Langsung', later: 'Nanti' },
    sendAt: 'Hari dan jam',
    past: 'Jam ini sudah lewat. Pilih yang lebih nanti.',
    more: 'Lainnya: jam, batas, kecepatan',
    check: 'Periksa',
    checkAgain: 'Periksa lagi',
    checking: 'Memeriksa',
    changed: 'Ada yang berubah. Periksa lagi untuk melihat hasilnya.',
  },
);
