import { defineTexts } from '../i18n/texts.js';

export const joinTexts = defineTexts(
  {
    joinTitle: (account: string) => `Join ${account}`,
    joinNote: (email: string) => `The invitation is for ${email}.`,
    join: 'Join',
    invitedBy: (name: string, email: string, account: string) => `${name} (${email}) invites you to join ${account}.`,
    youMay: (role: string, rights: string) => `Your role would be ${role}. ${rights}`,
    joinSignIn: 'Sign in with that address. You then join at once.',
    joinSignUp: 'Choose a password for that address. You then join at once.',
    otherAddress: (email: string) => `You are signed in as ${email}. Sign out, then open the invitation again.`,
    signOut: 'Sign out',
  },
  {
    joinTitle: (account: string) => `Bergabung dengan ${account}`,
    joinNote: (email: string) => `Undangan ini untuk ${email}.`,
    join: 'Bergabung',
    invitedBy: (name: string, email: string, account: string) =>
      `${name} (${email}) mengundang Anda bergabung dengan ${account}.`,
    youMay: (role: string, rights: string) => `Peran Anda: ${role}. ${rights}`,
    joinSignIn: 'Masuk dengan alamat itu. Setelah itu Anda langsung bergabung.',
    joinSignUp: 'Pilih kata sandi untuk alamat itu. Setelah itu Anda langsung bergabung.',
    otherAddress: (email: string) => `Anda masuk sebagai ${email}. Keluar dulu, lalu buka lagi undangannya.`,
    signOut: 'Keluar',
  },
);
