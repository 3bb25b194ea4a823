import { defineTexts } from '../../../i18n/texts.js';

export const messageStepTexts = defineTexts(
  {
    from: 'The text',
    froms: { own: 'Write it here', template: 'Use a template' },
    category: 'What kind of message is it?',
    categoryNotes: {
      marketing: 'An offer or news. People who opted out get none.',
      transactional: 'About an order, a bill or an appointment.',
    },
    nameFallback: 'there',
    nameVariable: 'name',
    template: 'Template',
    chooseTemplate: 'Choose a template',
    noTemplates: 'You have no template yet. Write the text here, or make one under Templates.',
    moreTemplates: 'More templates',
    footer: 'Say at the end how to stop',
    footerLabel: 'Last line',
    noFooter:
      'People who cannot opt out report you instead, and WhatsApp then restricts your number. Keep the last line.',
    templateNoFooter: 'This template does not say how to stop. Add a footer to the template.',
    bindings: 'Where the values come from',
    bindingOf: (name: string) => `{{${name}}} comes from the column`,
    noColumn: 'No column',
    unfilled: (names: string) =>
      `No column fills ${names}. Nobody gets the message without it. Choose a column, or write a fallback such as {{name|there}}.`,
    preview: 'Preview',
    previewNote: 'As a person of your list gets it.',
    next: 'Next person',
    missing: (names: string) => `This person has no value for ${names}, and gets nothing.`,
    refused: {
      too_long: 'The text is longer than a message may be.',
      empty: 'The text would be empty.',
      not_storable: 'A value has characters that cannot be sent.',
    },
    writeFirst: 'The preview appears when there is a text without mistakes.',
  },
  {
    from: 'Teksnya',
    froms: { own: 'Tulis di sini', template: 'Pakai templat' },
    category: 'Pesan macam apa ini?',
    categoryNotes: {
      marketing: 'Penawaran atau kabar. Yang menolak promosi tidak dikirimi.',
      transactional: 'Soal pesanan, tagihan, atau janji temu.',
    },
    nameFallback: 'Kak',
    nameVariable: 'nama',
    template: 'Templat',
    chooseTemplate: 'Pilih templat',
    noTemplates: 'Belum ada templat. Tulis teksnya di sini, atau buat satu di halaman Templat.',
    moreTemplates: 'Templat lainnya',
    footer: 'Di akhir, beri tahu cara berhenti',
    footerLabel: 'Baris terakhir',
    noFooter:
      'Orang yang tidak tahu cara berhenti akan melaporkan Anda, lalu WhatsApp membatasi nomor Anda. Sebaiknya biarkan baris ini ada.',
    templateNoFooter: 'Templat ini tidak memberi tahu cara berhenti. Tambahkan kaki pesan di templatnya.',
    bindings: 'Isinya dari mana',
    bindingOf: (name: string) => `{{${name}}} diisi dari kolom`,
    noColumn: 'Tidak ada kolom',
    unfilled: (names: string) =>
      `Tidak ada kolom untuk ${names}. Tanpa itu tidak ada yang dikirimi. Pilih kolomnya, atau tulis pengganti seperti {{nama|Kak}}.`,
    preview: 'Pratinjau',
    previewNote: 'Begini yang diterima orang di daftar Anda.',
    next: 'Orang berikutnya',
    missing: (names: string) => `Orang ini tidak punya ${names}, jadi tidak dikirimi apa-apa.`,
    refused: {
      too_long: 'Teksnya lebih panjang dari batas satu pesan.',
      empty: 'Teksnya jadi kosong.',
      not_storable: 'Ada data dengan karakter yang tidak bisa dikirim.',
    },
    writeFirst: 'Pratinjau muncul setelah ada teks yang tidak salah tulis.',
  },
);
