/** The changes of contacts that are in the audit log. */
import { type Audit, noteReading } from '../src/accounts/audit.js';
import { changeContact, deleteContact, saveContact } from '../src/contacts/change-contact.js';
import { changeLists } from '../src/contacts/change-lists.js';
import { beginImport, cancelImport } from '../src/contacts/imports/create-import.js';
import { readUpload } from '../src/uploads/read-upload.js';
import { aWish, type World } from './audited-world-fixture.js';
import type { DatabaseFixture } from './database-fixture.js';

export const everyContact = {
  list: null,
  phone: null,
  attribute: null,
  locale: null,
  hasConsent: null,
  search: null,
} as const;

export function contactChanges(fixture: () => DatabaseFixture, world: () => World) {
  const subject = () => world().contact.contactId;
  return {
    'contact.saved': {
      run: (audit: Audit) => {
        const { accountId } = world().tenant;
        return saveContact(fixture().database, accountId, { phone: '6281200000002', change: { name: 'n' } }, audit);
      },
    },
    'contact.changed': {
      run: (audit: Audit) => changeContact(fixture().database, world().contact, { name: 'other' }, audit),
      subject,
    },
    'contact.deleted': {
      run: (audit: Audit) => deleteContact(fixture().database, world().contact, audit),
      subject,
    },
    'contacts.lists_changed': {
      run: (audit: Audit) =>
        changeLists(fixture().database, world().tenant.accountId, everyContact, { add: ['l'], remove: [] }, audit),
      subject: () => null,
    },
    'contacts.imported': {
      run: async (audit: Audit) => {
        const { accountId } = world().tenant;
        const upload = await readUpload(fixture().database, accountId, world().uploadId);
        if (upload === null) throw new Error('no upload');
        return beginImport(fixture().database, accountId, upload, aWish, audit);
      },
    },
    'contacts.import_cancelled': {
      run: (audit: Audit) => cancelImport(fixture().database, world().tenant.accountId, world().importId, audit),
      subject: () => world().importId,
    },
    'contacts.exported': {
      run: (audit: Audit) => noteReading(fixture().database, audit),
      subject: () => null,
      reads: true as const,
    },
  };
}
