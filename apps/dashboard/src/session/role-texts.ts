import { defineTexts } from '../i18n/texts.js';

export const roleTexts = defineTexts(
  {
    roles: { agent: 'agent', viewer: 'viewer', developer: 'developer', owner: 'owner' },
    rights: {
      agent: 'Reads chats and answers them. Sees nothing else.',
      viewer: 'Sees everything but changes nothing.',
      developer: 'Links devices, sends messages, makes keys.',
      owner: 'Also pays, chooses plans and invites people.',
    },
    youMay: {
      agent: 'You will read the chats and answer them.',
      viewer: 'You will see everything, and change nothing.',
      developer: 'You will link devices, answer and send messages, and make keys.',
      owner: 'You will do everything, also pay and invite people.',
    },
  },
  {
    roles: { agent: 'CS', viewer: 'pengamat', developer: 'pengembang', owner: 'pemilik' },
    rights: {
      agent: 'Membaca dan membalas chat saja. Bagian lain tidak terlihat.',
      viewer: 'Melihat semuanya, tidak mengubah apa pun.',
      developer: 'Menautkan perangkat, mengirim pesan, membuat kunci.',
      owner: 'Juga membayar, memilih paket, dan mengundang orang.',
    },
    youMay: {
      agent: 'Anda bisa membaca dan membalas chat pelanggan.',
      viewer: 'Anda bisa melihat semuanya, tanpa mengubah apa pun.',
      developer: 'Anda bisa menautkan perangkat, membalas dan mengirim pesan, dan membuat kunci.',
      owner: 'Anda bisa melakukan semuanya, juga membayar dan mengundang orang.',
    },
  },
);
