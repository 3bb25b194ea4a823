/** The changes of templates that are in the audit log. */
import type { Audit } from '../src/accounts/audit.js';
import { archiveTemplate, createTemplate, createTemplateVersion } from '../src/templates/change-template.js';
import type { World } from './audited-world-fixture.js';
import type { DatabaseFixture } from './database-fixture.js';

const text = { text: 'Halo {{nama}}', footer: null, createdBy: 'kk_live_1' };

export const templateChanges = (fixture: () => DatabaseFixture, world: () => World) => ({
  'template.created': {
    run: (audit: Audit) =>
      createTemplate(fixture().database, { accountId: world().tenant.accountId, name: 'Promo', ...text }, audit),
  },
  'template.changed': {
    run: (audit: Audit) =>
      createTemplateVersion(fixture().database, world().template, { ...text, baseVersion: 1 }, audit),
    subject: () => world().template.templateId,
  },
  'template.archived': {
    run: (audit: Audit) => archiveTemplate(fixture().database, world().template, audit),
    subject: () => world().template.templateId,
  },
});
