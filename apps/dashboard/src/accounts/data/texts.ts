import { defineTexts } from '../../i18n/texts.js';

export const dataTexts = defineTexts(
  {
    mine: 'Your data',
    mineNote:
      'What this gateway knows about you: profile, memberships, sessions, passkeys and your entries in the audit log.',
    exportMine: 'Export my data',
    eraseMe: 'Delete my account',
    eraseMeTitle: 'Delete your account for good?',
    eraseMeNote:
      'Your name, address, password, passkeys and sessions are erased at once, and you leave all accounts. An empty account that only you have goes too. Nobody can undo this.',
    typeAddress: (address: string) => `Type your address to confirm: ${address}`,
    account: 'Data of this account',
    accountNote:
      'Devices, keys without their secrets, contacts, invoices, and messages with the texts that are still kept.',
    exportAccount: 'Export all data',
    eraseAccount: 'Delete this account',
    eraseAccountTitle: (name: string) => `Delete ${name} for good?`,
    eraseAccountNote:
      'From now on nobody can use it: its keys stop, its members leave, and its devices are logged out. Then texts, numbers and contacts are erased. Only payments stay, for the books. Nobody can undo this.',
    typeName: (name: string) => `Type its name to confirm: ${name}`,
  },
  {
    mine: 'Data Anda',
    mineNote:
      'Yang diketahui gateway ini tentang Anda: profil, keanggotaan, sesi, passkey, dan catatan Anda di log audit.',
    exportMine: 'Unduh data saya',
    eraseMe: 'Hapus akun saya',
    eraseMeTitle: 'Hapus akun Anda selamanya?',
    eraseMeNote:
      'Nama, alamat, kata sandi, passkey, dan sesi Anda langsung dihapus, dan Anda keluar dari semua akun. Akun kosong yang hanya berisi Anda ikut dihapus. Ini tidak bisa dibatalkan.',
    typeAddress: (address: string) => `Ketik alamat Anda untuk memastikan: ${address}`,
    account: 'Data akun ini',
    accountNote: 'Perangkat, kunci tanpa rahasianya, kontak, tagihan, dan pesan dengan teks yang masih disimpan.',
    exportAccount: 'Unduh semua data',
    eraseAccount: 'Hapus akun ini',
    eraseAccountTitle: (name: string) => `Hapus ${name} selamanya?`,
    eraseAccountNote:
      'Mulai saat itu tidak ada yang bisa memakainya: kuncinya mati, anggotanya keluar, dan perangkatnya dikeluarkan dari jaringan. Lalu teks, nomor, dan kontak dihapus. Hanya pembayaran yang tetap ada, untuk pembukuan. Ini tidak bisa dibatalkan.',
    typeName: (name: string) => `Ketik namanya untuk memastikan: ${name}`,
  },
);
