import { defineTexts } from '../i18n/texts.js';

export const roleTexts = defineTexts(
  {
    roles: { viewer: 'viewer', developer: 'developer', owner: 'owner' },
    rights: {
      viewer: 'Sees everything but changes nothing.',
      developer: 'Links devices, sends messages, makes keys.',
      owner: 'Also pays, chooses plans and invites people.',
    },
  },
  {
    roles: { viewer: 'pengamat', developer: 'pengembang', owner: 'pemilik' },
    rights: {
      viewer: 'Melihat semuanya, tidak mengubah apa pun.',
      developer: 'Menautkan perangkat, mengirim pesan, membuat kunci.',
      owner: 'Juga membayar, memilih paket, dan mengundang orang.',
    },
  },
);
