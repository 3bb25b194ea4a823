/** The webhooks of the OpenAPI document: what the gateway sends to an endpoint of a customer. */
import { z } from 'zod';
import type { ZodOpenApiOperationObject, ZodOpenApiPathsObject } from 'zod-openapi';
import { type EventType, eventTypes } from '../events/event-types.js';
import { eventSchemas } from './event-schemas.js';

const headers = z.object({
  'webhook-id': z.string().meta({ description: 'The id of the event. It is the same at every try.' }),
  'webhook-timestamp': z.string().meta({ description: 'When the gateway signed this try, in Unix seconds.' }),
  'webhook-signature': z.string().meta({
    description:
      '`v1,` and the HMAC-SHA256 of `webhook-id.webhook-timestamp.body` in base64, as Standard Webhooks says. During a rotation there are two, with a blank between.',
  }),
});

/** `message.sent_elsewhere` gives `MessageSentElsewhereEvent`. */
const nameOf = (type: EventType): string =>
  `${type
    .split(/[._]/)
    .map((word) => word.slice(0, 1).toUpperCase() + word.slice(1))
    .join('')}Event`;

/** A schema that has a name keeps it. */
const named = (type: EventType, schema: z.ZodObject) =>
  schema.meta()?.id === undefined ? schema.meta({ id: nameOf(type), ...schema.meta() }) : schema;

const webhookOf = (type: EventType, schema: z.ZodObject): ZodOpenApiOperationObject => ({
  operationId: `webhook.${type}`,
  summary: eventTypes[type].summary,
  tags: ['webhooks'],
  security: [],
  requestParams: { header: headers },
  requestBody: { required: true, content: { 'application/json': { schema: named(type, schema) } } },
  responses: {
    '2XX': { description: 'Your program took the event.' },
    '410': { description: 'Your program wants no more events. The gateway disables the webhook.' },
    default: { description: 'Your program did not take the event. The gateway tries again.' },
  },
});

export const webhookObjects = (): ZodOpenApiPathsObject =>
  Object.fromEntries([...eventSchemas].map(([type, schema]) => [type, { post: webhookOf(type, schema) }]));
