import { type DataOf, parseTemplate, type Variable, variablesOf } from '@kurir/contracts';
import type { TemplateVersionView, TemplateView } from '@kurir/database/templates';

/** A stored text that a later version of the language would refuse has no variables. */
export function variablesIn({ text, footer }: Pick<TemplateView, 'text' | 'footer'>): Variable[] {
  const parsing = parseTemplate(text, footer);
  return parsing.ok ? variablesOf(parsing.template) : [];
}

export const showTemplate = (template: TemplateView): DataOf<'getTemplate'> => ({
  template_id: template.id,
  name: template.name,
  version: template.version,
  text: template.text,
  footer: template.footer,
  variables: variablesIn(template),
  archived_at: template.archivedAt?.toISOString() ?? null,
  created_at: template.createdAt.toISOString(),
  updated_at: template.updatedAt.toISOString(),
});

export const showVersion = (row: TemplateVersionView): DataOf<'listTemplateVersions'>['versions'][number] => ({
  version: row.version,
  text: row.text,
  footer: row.footer,
  created_by: { id: row.createdBy, name: row.creatorName },
  created_at: row.createdAt.toISOString(),
});
