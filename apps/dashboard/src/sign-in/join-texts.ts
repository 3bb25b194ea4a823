import { defineTexts } from '../i18n/texts.js';

export const joinTexts = defineTexts(
  {
    joinTitle: (account: string) => `Join ${account}`,
    joinNote: (email: string, role: string) => `The invitation is for ${email}, as ${role}.`,
    join: 'Join',
    invitedBy: (name: string, email: string) => `${name} (${email}) invites you.`,
    joinSignIn: 'Sign in with that address. You then join at once.',
    joinSignUp: 'Choose a password for that address. You then join at once.',
    otherAddress: (email: string) => `You are signed in as ${email}. Sign out, then open the invitation again.`,
    signOut: 'Sign out',
  },
  {
    joinTitle: (account: string) => `Bergabung dengan ${account}`,
    joinNote: (email: string, role: string) => `Undangan ini untuk ${email}, sebagai ${role}.`,
    join: 'Bergabung',
    invitedBy: (name: string, email: string) => `${name} (${email}) mengundang Anda.`,
    joinSignIn: 'Masuk dengan alamat itu. Setelah itu Anda langsung bergabung.',
    joinSignUp: 'Pilih kata sandi untuk alamat itu. Setelah itu Anda langsung bergabung.',
    otherAddress: (email: string) => `Anda masuk sebagai ${email}. Keluar dulu, lalu buka lagi undangannya.`,
    signOut: 'Keluar',
  },
);
