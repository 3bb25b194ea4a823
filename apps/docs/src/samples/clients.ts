/** Samples with the clients of the project. Each is a whole program. */
import { type Call, camelCase, type Fields, snakeCase } from './call.js';
import { phpNotation, pythonNotation, typescriptNotation, writeValue } from './values.js';

/** The client takes keys in camelCase at any depth. Names that the customer chooses stay. */
const own = new Set(['attributes', 'values']);

function camelKeys(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(camelKeys);
  if (value === null || typeof value !== 'object') return value;
  const entries = Object.entries(value).map(([key, item]) => [camelCase(key), own.has(key) ? item : camelKeys(item)]);
  return Object.fromEntries(entries) as Fields;
}

/** A file comes as text, and every other answer as a value. */
const isFile = ({ operation }: Call) => operation.responses['200']?.content?.['application/json'] === undefined;

const inputOf = ({ body, query }: Call): Fields | null => {
  const input = { ...query, ...body };
  return Object.keys(input).length > 0 || body !== null ? input : null;
};

export function typescriptSample(call: Call): string {
  const { operationId } = call.operation;
  const input = inputOf(call);
  // This method takes the only field of its body.
  const written = operationId === 'checkContacts' ? call.body?.['phones'] : input && camelKeys(input);
  const parts = [...Object.values(call.path), ...(written ? [written] : [])];
  const list = parts.map((part) => writeValue(part, typescriptNotation)).join(', ');
  const lines = isFile(call)
    ? [`for await (const part of kurir.${operationId}(${list})) process.stdout.write(part);`]
    : [`const answer = await kurir.${operationId}(${list});`, 'console.log(answer);'];
  return [
    "import { createClient } from '@kurir/client';",
    '',
    'const { KURIR_BASE_URL, KURIR_API_KEY, KURIR_API_SECRET, KURIR_DEVICE_ID } = process.env;',
    'const kurir = createClient({',
    "  baseUrl: KURIR_BASE_URL ?? '',",
    "  apiKey: KURIR_API_KEY ?? '',",
    "  apiSecret: KURIR_API_SECRET ?? '',",
    '  deviceId: KURIR_DEVICE_ID,',
    '});',
    ...lines,
  ].join('\n');
}

/** One argument a line if they do not fit into one. */
function argumentsOf(parts: readonly string[], indent: string): string {
  const line = parts.join(', ');
  if (line.length <= 60 && !line.includes('\n')) return line;
  const inside = parts.map((part) => `${indent}${part.replaceAll('\n', `\n${indent}`)},\n`);
  return `\n${inside.join('')}`;
}

export function pythonSample(call: Call): string {
  const fields = Object.entries(inputOf(call) ?? {});
  const parts = [
    ...Object.values(call.path).map((value) => writeValue(value, pythonNotation)),
    ...fields.map(([name, value]) => `${name}=${writeValue(value, pythonNotation)}`),
  ];
  const made = `kurir.${snakeCase(call.operation.operationId)}(${argumentsOf(parts, '    ')})`;
  const lines = isFile(call) ? [`for line in ${made}:`, '    print(line)'] : [`answer = ${made}`, 'print(answer)'];
  return ['from kurir import Kurir', '', 'kurir = Kurir.from_env()', ...lines].join('\n');
}

export function phpSample(call: Call): string {
  const fields = Object.entries({ ...call.path, ...inputOf(call) });
  const parts = fields.map(([name, value]) => `${camelCase(name)}: ${writeValue(value, phpNotation)}`);
  const made = `$kurir->${call.operation.operationId}(${argumentsOf(parts, '    ')})`;
  const print = isFile(call) ? `echo ${made};` : `$answer = ${made};\nprint_r($answer);`;
  return ['<?php', "require 'vendor/autoload.php';", '', '$kurir = Kurir\\Kurir::fromEnv();', print].join('\n');
}
