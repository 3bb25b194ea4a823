/** The operations of templates. */
import { z } from 'zod';
import { limits } from '../http/limits.js';
import type { PublicOperation } from '../http/operation-entry.js';
import { pageQuery } from '../http/page-query.js';
import {
  createTemplateRequest,
  createVersionRequest,
  previewAnswer,
  previewRequest,
  template,
  templateId,
  templateVersion,
} from './template-fields.js';

const reads = {
  scope: 'broadcasts:read',
  testKeys: 'any',
  access: 'viewer',
  audit: null,
  device: false,
  repeat: 'harmless',
  maxBodyBytes: limits.bodyMaxBytes,
} as const;

const writes = {
  scope: 'broadcasts:write',
  testKeys: 'never',
  access: 'developer',
  device: false,
  repeat: 'refuse',
  maxBodyBytes: limits.bodyMaxBytes,
  query: null,
} as const;

const refusedBody = ['MALFORMED_REQUEST', 'PAYLOAD_TOO_LARGE', 'UNSUPPORTED_MEDIA_TYPE', 'INVALID_REQUEST'] as const;
const cursor = z.string().nullable().meta({ description: 'Pass it as cursor for the next page. Null: no more.' });

export const templateOperations = {
  createTemplate: {
    ...writes,
    method: 'POST',
    path: '/api/v1/templates',
    summary: 'Create a template with its version 1.',
    audit: { whose: 'all', actions: ['template.created'] },
    body: createTemplateRequest,
    data: template,
    message: 'Template created',
    errors: [...refusedBody, 'TEMPLATE_NAME_TAKEN', 'REPLAYED_REQUEST', 'SERVICE_UNAVAILABLE'],
  },
  listTemplates: {
    ...reads,
    method: 'GET',
    path: '/api/v1/templates',
    summary: 'List the templates that are not archived, newest first, each with its latest version.',
    body: null,
    query: pageQuery,
    data: z.object({ templates: z.array(template), next_cursor: cursor }),
    message: 'Templates listed',
    errors: ['INVALID_REQUEST', 'SERVICE_UNAVAILABLE'],
  },
  previewTemplate: {
    ...reads,
    method: 'POST',
    path: '/api/v1/templates/preview',
    summary: `Render a text for up to ${limits.templatePreviewRows} recipients. It stores nothing. A broadcast may make other picks.`,
    whileSuspended: true,
    body: previewRequest,
    query: null,
    data: previewAnswer,
    message: 'Template rendered',
    errors: [...refusedBody, 'INVALID_PHONE_NUMBER', 'SERVICE_UNAVAILABLE'],
  },
  getTemplate: {
    ...reads,
    method: 'GET',
    path: '/api/v1/templates/{template_id}',
    summary: 'Look up a template with its latest version and its variables, also an archived one.',
    body: null,
    query: null,
    data: template,
    message: 'Template found',
    errors: ['TEMPLATE_NOT_FOUND', 'SERVICE_UNAVAILABLE'],
  },
  listTemplateVersions: {
    ...reads,
    method: 'GET',
    path: '/api/v1/templates/{template_id}/versions',
    summary: 'List the versions of a template, newest first.',
    body: null,
    query: pageQuery,
    data: z.object({ versions: z.array(templateVersion), next_cursor: cursor }),
    message: 'Versions listed',
    errors: ['INVALID_REQUEST', 'TEMPLATE_NOT_FOUND', 'SERVICE_UNAVAILABLE'],
  },
  createTemplateVersion: {
    ...writes,
    method: 'POST',
    path: '/api/v1/templates/{template_id}/versions',
    summary: 'Add a version to a template. Earlier versions stay as they are.',
    audit: { whose: 'all', actions: ['template.changed'] },
    body: createVersionRequest,
    data: template,
    message: 'Version created',
    errors: [...refusedBody, 'TEMPLATE_NOT_FOUND', 'TEMPLATE_CHANGED', 'REPLAYED_REQUEST', 'SERVICE_UNAVAILABLE'],
  },
  archiveTemplate: {
    ...writes,
    method: 'DELETE',
    path: '/api/v1/templates/{template_id}',
    summary: 'Archive a template. Nobody can change or list it any more, and its name is free again.',
    audit: { whose: 'all', actions: ['template.archived'] },
    body: null,
    data: z.object({ template_id: templateId }),
    message: 'Template archived',
    errors: ['TEMPLATE_NOT_FOUND', 'REPLAYED_REQUEST', 'SERVICE_UNAVAILABLE'],
  },
} as const satisfies Record<string, PublicOperation>;
