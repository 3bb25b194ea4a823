/** A request for every error of the operations of templates. */
import { createCustomer } from './customer-fixture.js';
import { ask, type Case, changed, repeated, unavailable, unreadable } from './error-requests.js';

export const templateErrorCases = {
  createTemplate: {
    ...unreadable,
    INVALID_REQUEST: changed({ body: { name: 'Pesanan siap', text: 'Halo {{nama' } }),
    TEMPLATE_NAME_TAKEN: async ({ well }, operation) => {
      const customer = await createCustomer(well.database);
      await ask(well, customer, operation);
      return ask(well, customer, operation);
    },
    REPLAYED_REQUEST: repeated,
    SERVICE_UNAVAILABLE: unavailable,
  },
  listTemplates: { INVALID_REQUEST: changed({ query: 'limit=0' }), SERVICE_UNAVAILABLE: unavailable },
  previewTemplate: {
    ...unreadable,
    INVALID_REQUEST: changed({ body: { text: 'Halo', rows: [] } }),
    INVALID_PHONE_NUMBER: changed({ body: { text: 'Halo', rows: [{ phone: '0812' }] } }),
    SERVICE_UNAVAILABLE: unavailable,
  },
  getTemplate: { TEMPLATE_NOT_FOUND: changed({}), SERVICE_UNAVAILABLE: unavailable },
  listTemplateVersions: {
    INVALID_REQUEST: changed({ query: 'limit=0' }),
    TEMPLATE_NOT_FOUND: changed({}),
    SERVICE_UNAVAILABLE: unavailable,
  },
  createTemplateVersion: {
    ...unreadable,
    INVALID_REQUEST: changed({ body: { text: '' } }),
    TEMPLATE_NOT_FOUND: changed({}),
    TEMPLATE_CHANGED: async ({ well }, operation) => {
      const customer = await createCustomer(well.database);
      const made = await ask(well, customer, 'createTemplate');
      const templateId = String(made.body.data['template_id']);
      await ask(well, customer, operation, { templateId });
      return ask(well, customer, operation, { templateId, body: { text: 'Hai', base_version: 1 } });
    },
    REPLAYED_REQUEST: repeated,
    SERVICE_UNAVAILABLE: unavailable,
  },
  archiveTemplate: {
    TEMPLATE_NOT_FOUND: changed({}),
    REPLAYED_REQUEST: repeated,
    SERVICE_UNAVAILABLE: unavailable,
  },
} satisfies Record<string, Record<string, Case>>;
