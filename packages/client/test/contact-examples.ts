/** The answers of the test gateway about contacts. */
import type { DataOf } from '@kurir/contracts';
import type { Answers } from './gateway-fixture.js';

const at = '2026-11-21T09:00:00.000Z';

export const exampleContact = (changed: Partial<DataOf<'getContact'>> = {}): DataOf<'getContact'> => ({
  contact_id: 'con_1',
  phone: '6281234567890',
  name: 'Budi',
  locale: 'id',
  time_zone: 'Asia/Jakarta',
  attributes: { kota_asal: 'Bandung' },
  lists: ['promo'],
  consent: { source: 'Checkout', at },
  created_at: at,
  updated_at: at,
  ...changed,
});

export const exampleUpload = (changed: Partial<DataOf<'createUpload'>> = {}): DataOf<'createUpload'> => ({
  upload_id: 'upl_1',
  file_name: 'a.csv',
  bytes: 4,
  received_bytes: 4,
  parts: 1,
  part_max_bytes: 6_000_000,
  is_complete: true,
  created_at: at,
  expires_at: at,
  ...changed,
});

export const exampleImport = (changed: Partial<DataOf<'getContactImport'>> = {}): DataOf<'getContactImport'> => ({
  import_id: 'imp_1',
  upload_id: 'upl_1',
  file_name: 'a.csv',
  state: 'done',
  problem: null,
  progress: 1,
  rows: 3,
  added: 2,
  updated: 1,
  unchanged: 0,
  refused: 0,
  refused_by_code: [],
  created_at: at,
  ended_at: at,
  ...changed,
});

export const contactAnswers = () =>
  ({
    saveContact: () => ({ contact: exampleContact(), created: true }),
    listContacts: () => ({ contacts: [exampleContact()], next_cursor: null }),
    exportContacts: () => 'phone,name\r\n6281234567890,Budi\r\n',
    checkContacts: ({ body }: { body: string }) => ({
      checked: (JSON.parse(body).phones as string[]).map((asked) => ({
        asked,
        phone: '6281234567890',
        on_network: 'yes' as const,
        at,
        error: null,
      })),
    }),
    listContactLists: () => ({ lists: [{ name: 'promo', contacts: 1 }] }),
    changeContactLists: () => ({ changed: 1, has_more: false }),
    getContact: () => exampleContact(),
    updateContact: () => exampleContact(),
    deleteContact: () => ({ contact_id: 'con_1' }),
    createContactImport: () => exampleImport({ state: 'waiting', ended_at: null }),
    getContactImport: () => exampleImport(),
    cancelContactImport: () => exampleImport({ state: 'cancelled' }),
    listRefusedRows: () => ({
      refused: [
        {
          row: 2,
          column: 'HP',
          value: '6.28E+12',
          code: 'ruined_by_excel',
          same_as_row: null,
          error: 'Format it as text.',
        },
      ],
      next_cursor: null,
    }),
    exportRefusedRows: () => 'row,column\r\n2,HP\r\n',
    createUpload: () => exampleUpload({ received_bytes: 0, parts: 0, is_complete: false }),
    addUploadPart: () => exampleUpload(),
    getUpload: () => ({
      ...exampleUpload(),
      file: {
        form: 'csv',
        encoding: 'utf-8',
        separator: ';',
        columns: ['HP', 'Nama'],
        mapping: { phone: 'HP', name: 'Nama', locale: null, time_zone: null },
        preview: [{ row: 2, values: ['0812', 'Budi'] }],
      },
      problem: null,
    }),
  }) satisfies Partial<Answers>;
