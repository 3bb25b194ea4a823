/** The exports for templates: texts for many recipients, with their versions. */
export {
  archiveTemplate,
  createTemplate,
  createTemplateVersion,
  type NewTemplate,
} from './templates/change-template.js';
export {
  listTemplates,
  listTemplateVersions,
  readTemplate,
  readTemplateVersion,
  type TemplateVersionView,
  type TemplateView,
} from './templates/read-templates.js';
