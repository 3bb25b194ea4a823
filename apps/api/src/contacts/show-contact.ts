import type { DataOf } from '@kurir/contracts';
import type { ContactView } from '@kurir/database/contacts';

export const showContact = (contact: ContactView): DataOf<'getContact'> => ({
  contact_id: contact.id,
  phone: contact.phone,
  name: contact.name,
  locale: contact.locale,
  time_zone: contact.timeZone,
  attributes: contact.attributes,
  lists: [...contact.lists],
  consent:
    contact.consentSource === null || contact.consentAt === null
      ? null
      : { source: contact.consentSource, at: contact.consentAt.toISOString() },
  created_at: contact.createdAt.toISOString(),
  updated_at: contact.updatedAt.toISOString(),
});
