// The operations of programs as methods of a PHP class.
import { argumentsOf, needsDevice } from './operation-arguments.mjs';

const WIDTH = 120;

const camel = (name) => name.replace(/_([a-z])/g, (_match, letter) => letter.toUpperCase());
const quote = (text) => `'${text}'`;

/** `{native, doc}`: the type that PHP checks, and the one of the comment, which says more. */
function typeOf({ schema, isList }, schemas) {
  const { anyOf = [], type: types, format, enum: values, items, properties } = schemas.resolve(schema);
  const type = [types].flat().find((one) => one !== 'null');
  if (isList) return { native: 'string|array', doc: 'string|list<string>' };
  if (values?.join() === 'true,false') return { native: 'bool', doc: 'bool' };
  if (anyOf.length > 0) return typeOf({ schema: anyOf.find((one) => one.type !== 'null') }, schemas);
  if (values) return { native: 'string', doc: values.map(quote).join('|') };
  if (format === 'date-time') return { native: 'DateTimeInterface|string', doc: 'DateTimeInterface|string' };
  if (type === 'array') return { native: 'array', doc: `list<${typeOf({ schema: items }, schemas).doc}>` };
  if (properties || type === 'object') return { native: 'array', doc: 'array<string, mixed>' };
  const native = { string: 'string', integer: 'int', number: 'float', boolean: 'bool' }[type] ?? 'mixed';
  return { native, doc: native };
}

const orNull = (type) => (/[|]/.test(type) ? `${type}|null` : `?${type}`);

function parameterText(part, schemas) {
  const { native } = typeOf(part, schemas);
  const name = `$${camel(part.name)}`;
  if (part.required) return `${part.isNullable ? orNull(native) : native} ${name}`;
  return part.isNullable ? `${native}|LeftOut|null ${name} = LeftOut::Yes` : `${orNull(native)} ${name} = null`;
}

function wrap(text, hanging = '') {
  const lines = [''];
  for (const word of text.split(/\s+/)) {
    const longer = lines.at(-1) === '' ? word : `${lines.at(-1)} ${word}`;
    const pad = lines.length > 1 ? hanging.length : 0;
    if (7 + pad + longer.length <= WIDTH || lines.at(-1) === '') lines[lines.length - 1] = longer;
    else lines.push(word);
  }
  return lines.map((line, index) => (index > 0 ? hanging : '') + line);
}

function comment({ summary, description }, parts, returns, schemas) {
  const told = parts.map((part) => {
    const { doc } = typeOf(part, schemas);
    const type = part.required && !part.isNullable ? doc : `${doc}${part.isNullable ? '|LeftOut' : ''}|null`;
    return wrap(`@param ${type} $${camel(part.name)} ${part.doc ?? ''}`.trim(), '    ');
  });
  const lines = [...wrap(summary), '', ...wrap(description), '', ...told.flat(), `@return ${returns}`];
  return ['    /**', ...lines.map((line) => `     * ${line}`.trimEnd()), '     */'].join('\n');
}

function argumentList(open, entries, close, indent) {
  const flat = `${open}${entries.join(', ')}${close}`;
  const pad = ' '.repeat(indent);
  if (indent + flat.length < WIDTH && !flat.includes('\n')) return flat;
  return `${open}\n${entries.map((entry) => `${pad}    ${entry},`).join('\n')}\n${pad}${close}`;
}

function routeText({ operation, method, path, repeat, parts, schemas }) {
  const nullable = parts.filter(({ isNullable }) => isNullable).map(({ name }) => quote(name));
  const values = [
    ...[method, path, repeat].map(quote),
    ...(needsDevice(operation) ? ['needsDevice: true'] : []),
    ...(schemas.hasClientRef(operation) ? ['hasClientRef: true'] : []),
    ...(nullable.length > 0 ? [`nullable: [${nullable.join(', ')}]`] : []),
  ];
  return argumentList('new Route(', values, ')', 12);
}

function callText(route, parts, isFile) {
  const groups = Object.entries({ ids: 'path', query: 'query', body: 'body' }).flatMap(([argument, place]) => {
    const fields = parts.filter((part) => part.place === place).map(({ name }) => `'${name}' => $${camel(name)}`);
    return fields.length > 0 ? [argumentList(`${argument}: [`, fields, ']', 12)] : [];
  });
  const others = parts.filter(({ place }) => place === 'call').map(({ name }) => `${camel(name)}: $${camel(name)}`);
  return argumentList(`return $this->${isFile ? 'download' : 'call'}(`, [route, ...groups, ...others], ');', 8);
}

const head = (name, parts, returns, schemas) =>
  argumentList(
    `public function ${name}(`,
    parts.map((part) => parameterText(part, schemas)),
    `): ${returns}`,
    4,
  );

/** PHP wants the brace of a function on its own line, except after arguments on several lines. */
const method = (text, body) => `    ${text}${text.includes('\n') ? ' ' : '\n    '}{\n        ${body}\n    }`;

/** The method that iterates over all pages, if the operation has pages with a cursor. */
function pagesMethod({ name, parts, json, schemas }) {
  if (!parts.some((part) => part.name === 'cursor')) return [];
  const [items] = Object.entries(json.schema.properties.data.properties).find(([, { type }]) => type === 'array');
  const passed = parts.map((part) => (part.name === 'cursor' ? '$next' : `$${camel(part.name)}`));
  const page = argumentList(`fn (?string $next): array => $this->${name}(`, passed, ')', 12);
  const text = head(name.replace(/^list/, 'iter'), parts, 'Generator', schemas);
  const lines = [
    `/**`,
    ` * Iterates over the items of ${name}, page by page.`,
    ' *',
    ' * @return Generator<int, array<string, mixed>>',
    ' */',
  ];
  const body = argumentList('return $this->pages(', [quote(items), page, '$cursor'], ');', 8);
  return [`${lines.map((line) => `    ${line}`).join('\n')}\n${method(text, body)}`];
}

/** The methods of one operation: itself, and the one that iterates over its pages. */
export function phpMethods({ operation, method: verb, path, repeat, schemas }) {
  const name = operation.operationId;
  const parts = argumentsOf(operation, schemas);
  const json = operation.responses['200'].content['application/json'];
  const route = routeText({ operation, method: verb, path, repeat, parts, schemas });
  const returns = json ? 'array<string, mixed>' : 'string The text of the file.';
  const text = head(name, parts, json ? 'array' : 'string', schemas);
  return [
    `${comment(operation, parts, returns, schemas)}\n${method(text, callText(route, parts, json === undefined))}`,
    ...(json ? pagesMethod({ name, parts, json, schemas }) : []),
  ];
}
