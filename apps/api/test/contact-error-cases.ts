/** The cases of the errors of contacts. */
import { limits, type PublicOperationName } from '@kurir/contracts';
import { createCustomer } from './customer-fixture.js';
import { ask, type Case, changed, repeated, type Stage, unavailable, unreadable } from './error-requests.js';

type Sender = Pick<Stage, 'well' | 'customer'>;

/** Uploads the text as a file. `missing` bytes never arrive. */
export async function uploadFile({ well, customer }: Sender, text: string, missing = 0): Promise<string> {
  const file = Buffer.from(text);
  const begun = await ask(well, customer, 'createUpload', { body: { bytes: file.length + missing } });
  const uploadId = String(begun.body.data['upload_id']);
  const part = { number: 1, data: file.toString('base64') };
  await ask(well, customer, 'addUploadPart', { uploadId, body: part });
  return uploadId;
}

const importOf = ({ well, customer }: Sender, operation: PublicOperationName, uploadId: string) =>
  ask(well, customer, operation, { body: { upload_id: uploadId, mapping: { phone: 'HP' } } });

const notANumber = { phone: 'Budi' };

export const contactCases = {
  saveContact: {
    ...unreadable,
    INVALID_REQUEST: changed({ body: { phone: '081234567890', time_zone: 'Jakarta' } }),
    INVALID_PHONE_NUMBER: changed({ body: { phone: '6.28123E+12' } }),
    REPLAYED_REQUEST: repeated,
    SERVICE_UNAVAILABLE: unavailable,
  },
  listContacts: {
    INVALID_REQUEST: changed({ query: 'limit=0' }),
    INVALID_PHONE_NUMBER: changed({ query: 'phone=Budi' }),
    SERVICE_UNAVAILABLE: unavailable,
  },
  exportContacts: {
    INVALID_REQUEST: changed({ query: 'format=xlsx' }),
    INVALID_PHONE_NUMBER: changed({ query: 'phone=Budi' }),
    SERVICE_UNAVAILABLE: unavailable,
  },
  checkContacts: {
    ...unreadable,
    INVALID_REQUEST: changed({ body: { phones: [] } }),
    SERVICE_UNAVAILABLE: unavailable,
  },
  listContactLists: { SERVICE_UNAVAILABLE: unavailable },
  changeContactLists: {
    ...unreadable,
    INVALID_REQUEST: changed({ body: { filter: {} } }),
    INVALID_PHONE_NUMBER: changed({ body: { filter: notANumber, add: ['promo'] } }),
    REPLAYED_REQUEST: repeated,
    SERVICE_UNAVAILABLE: unavailable,
  },
  createUpload: {
    ...unreadable,
    INVALID_REQUEST: changed({ body: { bytes: 0 } }),
    UPLOAD_LIMIT_REACHED: async ({ well }, operation) => {
      const customer = await createCustomer(well.database);
      for (let i = 0; i < limits.uploadsMax; i++) await ask(well, customer, operation);
      return ask(well, customer, operation);
    },
    REPLAYED_REQUEST: repeated,
    SERVICE_UNAVAILABLE: unavailable,
  },
  addUploadPart: {
    ...unreadable,
    INVALID_REQUEST: changed({ body: { number: 0, data: 'YQ==' } }),
    UPLOAD_NOT_FOUND: changed({}),
    SERVICE_UNAVAILABLE: unavailable,
  },
  getUpload: { UPLOAD_NOT_FOUND: changed({}), SERVICE_UNAVAILABLE: unavailable },
  createContactImport: {
    ...unreadable,
    INVALID_REQUEST: changed({ body: { upload_id: 'upl_none' } }),
    UPLOAD_NOT_FOUND: changed({}),
    UPLOAD_NOT_READY: async (stage, operation) => importOf(stage, operation, await uploadFile(stage, 'HP\n', 3)),
    UPLOAD_NOT_READABLE: async (stage, operation) => importOf(stage, operation, await uploadFile(stage, '\n\n')),
    IMPORT_LIMIT_REACHED: async ({ well }, operation) => {
      const stage = { well, customer: await createCustomer(well.database) };
      for (let i = 0; i < limits.importsMax; i++) {
        const uploadId = await uploadFile(stage, 'HP\n');
        await importOf(stage, operation, uploadId);
        await well.database.pool.query('DELETE FROM uploads WHERE id = $1', [uploadId]);
      }
      return importOf(stage, operation, await uploadFile(stage, 'HP\n'));
    },
    REPLAYED_REQUEST: repeated,
    SERVICE_UNAVAILABLE: unavailable,
  },
  getContactImport: { IMPORT_NOT_FOUND: changed({}), SERVICE_UNAVAILABLE: unavailable },
  cancelContactImport: {
    IMPORT_NOT_FOUND: changed({}),
    IMPORT_ENDED: async (stage, operation) => {
      const begun = await importOf(stage, 'createContactImport', await uploadFile(stage, 'HP\n'));
      const importId = String(begun.body.data['import_id']);
      await ask(stage.well, stage.customer, operation, { importId });
      return ask(stage.well, stage.customer, operation, { importId });
    },
    REPLAYED_REQUEST: repeated,
    SERVICE_UNAVAILABLE: unavailable,
  },
  listRefusedRows: {
    INVALID_REQUEST: changed({ query: 'limit=0' }),
    IMPORT_NOT_FOUND: changed({}),
    SERVICE_UNAVAILABLE: unavailable,
  },
  exportRefusedRows: {
    INVALID_REQUEST: changed({ query: 'language=fr' }),
    IMPORT_NOT_FOUND: changed({}),
    SERVICE_UNAVAILABLE: unavailable,
  },
  getContact: { CONTACT_NOT_FOUND: changed({}), SERVICE_UNAVAILABLE: unavailable },
  updateContact: {
    ...unreadable,
    INVALID_REQUEST: changed({ body: {} }),
    CONTACT_NOT_FOUND: changed({}),
    REPLAYED_REQUEST: repeated,
    SERVICE_UNAVAILABLE: unavailable,
  },
  deleteContact: { CONTACT_NOT_FOUND: changed({}), REPLAYED_REQUEST: repeated, SERVICE_UNAVAILABLE: unavailable },
} satisfies Record<string, Record<string, Case>>;
