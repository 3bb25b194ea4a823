/** The exports for contacts. */
export {
  changeContact,
  type ContactChange,
  deleteContact,
  readHome,
  saveContact,
  writeHome,
} from './contacts/change-contact.js';
export { checkNumbers, type KnownNumber } from './contacts/check-numbers.js';
export { changeLists, type ListChange } from './contacts/change-lists.js';
export {
  type ContactFilter,
  type ContactView,
  listContacts,
  readContact,
  readContactNames,
  readLists,
} from './contacts/read-contacts.js';
export {
  endImport,
  type ImportLease,
  importLeaseTtlMs,
  releaseImport,
  renewImport,
  takeImport,
} from './contacts/imports/claim-import.js';
export {
  beginImport,
  type BegunImport,
  cancelImport,
  findImportOf,
  readImport,
} from './contacts/imports/create-import.js';
export type { ImportCounts, ImportMapping, ImportView, ImportWish } from './contacts/imports/import-rows.js';
export { forgetImports, readRefusals, readRefusedRows, type RefusedRow } from './contacts/imports/read-refusals.js';
export { type ImportBatch, type ImportedContact, type Refusal, storeBatch } from './contacts/imports/store-batch.js';
