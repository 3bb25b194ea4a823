/** Example data of templates, as the gateway sends it. */
import type { DataOf } from '@kurir/contracts';

const at = '2026-11-21T09:00:00.000Z';

type Template = DataOf<'getTemplate'>;
type Preview = DataOf<'previewTemplate'>;

export const exampleTemplate = (changed: Partial<Template> = {}): Template => ({
  template_id: 'tpl_1',
  name: 'Promo',
  version: 3,
  text: 'Halo {{nama|Kak}}\n{{kode}}',
  footer: 'Balas STOP untuk berhenti',
  variables: [
    { name: 'nama', required: false },
    { name: 'kode', required: true },
  ],
  archived_at: null,
  created_at: at,
  updated_at: at,
  ...changed,
});

export const examplePreview = (changed: Partial<Preview> = {}): Preview => ({
  variables: [],
  rows: [{ phone: '6281234567890', text: 'Halo', problem: null, missing: [], code_points: 4 }],
  equal_share: null,
  warning: null,
  advice: null,
  ...changed,
});

export const templateAnswers = () => ({
  createTemplate: () => exampleTemplate(),
  listTemplates: () => ({ templates: [exampleTemplate()], next_cursor: null }),
  previewTemplate: () => examplePreview(),
  getTemplate: () => exampleTemplate(),
  listTemplateVersions: () => ({ versions: [], next_cursor: null }),
  createTemplateVersion: () => exampleTemplate({ version: 4 }),
  archiveTemplate: () => ({ template_id: 'tpl_1' }),
});
