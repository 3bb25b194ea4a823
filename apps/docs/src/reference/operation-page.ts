/** Writes the page of one operation: samples, a place to try it, its fields, its answer and its errors. */
import {
  jsonSchema,
  needsDevice,
  type OpenApi,
  type Parameter,
  type Placed,
  resolve,
  type Schema,
} from '../openapi/document.js';
import { exampleOf } from '../openapi/example-of.js';
import { type Row, rowsOf, typeOf } from './fields.js';
import { cell, fieldTable, requestTable } from './tables.js';
import { type Call, callOf, snakeCase, targetOf } from '../samples/call.js';
import { phpSample, pythonSample, typescriptSample } from '../samples/clients.js';
import { curlSample, kurirSample } from '../samples/curl.js';

export const languages = [
  { name: 'TypeScript', fence: 'ts', write: typescriptSample },
  { name: 'kurir', fence: 'sh', write: kurirSample },
  { name: 'Python', fence: 'python', write: pythonSample },
  { name: 'PHP', fence: 'php', write: phpSample },
  { name: 'curl', fence: 'sh', write: curlSample },
] as const;

/** `listWebhookAttempts` is "List webhook attempts". */
export function titleOf({ operationId }: Placed): string {
  const words = snakeCase(operationId).replaceAll('_', ' ');
  return words.charAt(0).toUpperCase() + words.slice(1);
}

function parameterRows(document: OpenApi, parameters: readonly Parameter[], place: Parameter['in']): Row[] {
  return parameters
    .filter((parameter) => parameter.in === place)
    .map(({ name, required = false, description, schema }) => {
      const resolved = resolve(document, schema);
      return { name, required, type: typeOf(document, resolved), meaning: description ?? resolved.description ?? '' };
    });
}

function requestPart(document: OpenApi, operation: Placed): string[] {
  const body = jsonSchema(document, operation.requestBody?.content);
  const parts: [string, Row[]][] = [
    ['Path', parameterRows(document, operation.parameters, 'path')],
    ['Query', parameterRows(document, operation.parameters, 'query')],
    ['Headers', parameterRows(document, operation.parameters, 'header')],
    ['Body', body === null ? [] : rowsOf(document, body)],
  ];
  const filled = parts.filter(([, rows]) => rows.length > 0);
  if (filled.length === 0) return ['## Request', 'It takes no fields. A program still [signs](/signing) it.'];
  return ['## Request', ...filled.flatMap(([title, rows]) => [`### ${title}`, requestTable(rows)])];
}

function answerPart(document: OpenApi, { responses }: Placed): string[] {
  const schema = jsonSchema(document, responses['200']?.content);
  if (schema === null) return ['## Answer', 'A file: CSV, or lines of JSON.'];
  const example = JSON.stringify(exampleOf(document, schema), null, 2);
  const data: Schema = resolve(document, schema.properties?.['data'] ?? {});
  const rows = rowsOf(document, data);
  return [
    '## Answer',
    `\`\`\`json\n${example}\n\`\`\``,
    ...(rows.length === 0 ? [] : ['Fields of `data`:', fieldTable(rows)]),
  ];
}

/** The refusals of an operation, by their status. */
export const errorsOf = ({ responses }: Placed): { status: string; code: string; meaning: string }[] =>
  Object.entries(responses)
    .filter(([status]) => Number(status) >= 400)
    .flatMap(([status, { description }]) =>
      [...description.matchAll(/^`(\w+)`: (.*)$/gm)].map(([, code = '', meaning = '']) => ({
        status,
        code,
        meaning: cell(meaning),
      })),
    );

function errorPart(operation: Placed): string[] {
  const rows = errorsOf(operation).map(({ status, code, meaning }) => `| ${status} | \`${code}\` | ${meaning} |`);
  return ['## Errors', ['| Status | Code | Meaning |', '|---|---|---|', ...rows].join('\n')];
}

/** The form of the page begins with these values. */
function formOf(call: Call): Record<string, unknown> {
  const { method } = call.operation;
  const body = call.body === null ? null : JSON.stringify(call.body, null, 2);
  return { method, target: targetOf(call), body, device: needsDevice(call.operation) };
}

export function operationPage(document: OpenApi, operation: Placed): string {
  const call = callOf(document, operation);
  const samples = languages.map(({ name, fence, write }) => `\`\`\`${fence} [${name}]\n${write(call)}\n\`\`\``);
  const head = { description: operation.summary, call: formOf(call) };
  return [
    `---\n${Object.entries(head)
      .map(([name, value]) => `${name}: ${JSON.stringify(value)}`)
      .join('\n')}\n---`,
    `# ${titleOf(operation)}`,
    operation.summary,
    `\`${operation.method} ${operation.path}\``,
    operation.description,
    '## Sample',
    `::: code-group\n\n${samples.join('\n\n')}\n\n:::`,
    'The [quick start](/quick-start) installs the clients and sets the four variables.',
    '## Try it',
    '```try\n```',
    ...requestPart(document, operation),
    ...answerPart(document, operation),
    ...errorPart(operation),
    '',
  ].join('\n\n');
}
