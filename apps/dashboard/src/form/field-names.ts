/** The names of the fields that people fill in, as they stand beside a rule that the gateway found broken. */
import type { DashboardBodyInput, OperationNameForPeople } from '@kurir/contracts/dashboard';
import type { Language } from '../i18n/language.js';

type FieldsOf<Body> = Body extends object ? keyof Body : never;
/** The compiler finds a name that no body of an operation has. */
type FieldName = { [O in OperationNameForPeople]: FieldsOf<DashboardBodyInput<O>> }[OperationNameForPeople];

type Names = Readonly<Record<Language, string>>;

const names: Partial<Record<FieldName, Names>> = {
  name: { en: 'Name', id: 'Nama' },
  email: { en: 'Email', id: 'Email' },
  message: { en: 'Message', id: 'Pesan' },
  text: { en: 'Text', id: 'Teks' },
  footer: { en: 'Footer', id: 'Penutup' },
  phone: { en: 'Phone number', id: 'Nomor telepon' },
  phone_number: { en: 'Phone number', id: 'Nomor telepon' },
  phone_destination: { en: 'Phone number', id: 'Nomor telepon' },
  client_ref: { en: 'Reference', id: 'Referensi' },
  send_at: { en: 'Time of sending', id: 'Waktu kirim' },
  ttl_seconds: { en: 'Time limit', id: 'Batas waktu' },
  category: { en: 'Category', id: 'Kategori' },
  url: { en: 'Address', id: 'Alamat' },
  tax_number: { en: 'Tax number', id: 'NPWP' },
  address: { en: 'Postal address', id: 'Alamat' },
  description: { en: 'Description', id: 'Keterangan' },
  country: { en: 'Country', id: 'Negara' },
  proxy: { en: 'Proxy', id: 'Proxy' },
  pace_per_minute: { en: 'Messages per minute', id: 'Pesan per menit' },
  pace_jitter_ms: { en: 'Random delay', id: 'Jeda acak' },
  typing_ms: { en: 'Typing', id: 'Sedang mengetik' },
  new_contacts_per_day: { en: 'New contacts a day', id: 'Kontak baru per hari' },
  allowed_ips: { en: 'IP addresses', id: 'Alamat IP' },
  duration_days: { en: 'Days', id: 'Hari' },
  price: { en: 'Price', id: 'Harga' },
  quota: { en: 'Quota', id: 'Kuota' },
  attributes: { en: 'Fields', id: 'Kolom' },
  lists: { en: 'Lists', id: 'Daftar' },
  locale: { en: 'Language', id: 'Bahasa' },
  time_zone: { en: 'Time zone', id: 'Zona waktu' },
  rows: { en: 'Rows', id: 'Baris' },
  values: { en: 'Values', id: 'Nilai' },
  window: { en: 'Hours', id: 'Jam kirim' },
  stop_words: { en: 'Words to stop', id: 'Kata berhenti' },
};

const isNamed = (field: string): field is FieldName => Object.hasOwn(names, field);

/** Takes a path such as `messages[3].text`. Returns null for a field that people do not fill in. */
export function fieldName(path: string, language: Language): string | null {
  const field = path.split('.').find((part) => isNamed(part));
  return field !== undefined && isNamed(field) ? (names[field]?.[language] ?? null) : null;
}
