/** The roles of members, as the mails name them, and what a member of the role may do. */
import type { MemberRole } from '@kurir/contracts/dashboard';
import type { Both } from './letter.js';

export const roleWords: Record<MemberRole, { readonly name: Both; readonly may: Both }> = {
  agent: {
    name: ['CS', 'agent'],
    may: ['membaca dan membalas chat', 'read chats and answer them'],
  },
  viewer: { name: ['pengamat', 'viewer'], may: ['melihat semuanya', 'see everything'] },
  developer: {
    name: ['pengembang', 'developer'],
    may: ['menautkan perangkat, mengirim pesan, dan membuat kunci', 'link devices, send messages and make keys'],
  },
  owner: {
    name: ['pemilik', 'owner'],
    may: ['melakukan semuanya, juga membayar dan mengundang orang', 'do everything, also pay and invite people'],
  },
};
