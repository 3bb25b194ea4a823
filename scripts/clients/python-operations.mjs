// The operations of programs as methods of a Python class.
import { argumentsOf, needsDevice } from './operation-arguments.mjs';
import { block, call, dict, snake } from './python-text.mjs';
import { pascal, wrapLiteral } from './python-types.mjs';

/** The arguments with their types. */
function typedArguments(operation, types) {
  const hint = pascal(operation.operationId);
  return argumentsOf(operation, types).map((part) => {
    const annotation = types.annotate(part.schema, { name: hint + pascal(part.name), prefix: 'types.', given: true });
    return { ...part, type: part.isList ? 'str | Sequence[str]' : annotation };
  });
}

function signature(name, parts, returns) {
  const inPath = parts.filter(({ place }) => place === 'path').map(({ name: field, type }) => `${field}: ${type}`);
  const named = parts
    .filter(({ place }) => place !== 'path')
    .map(({ name: field, type, required, isNullable }) => {
      const shown = wrapLiteral(type, field.length + 22, 8);
      if (required) return `${field}: ${shown}`;
      const bare = shown.replace(/ \| None$/, '');
      return isNullable ? `${field}: ${bare} | Unset | None = UNSET` : `${field}: ${bare} | None = None`;
    });
  return `    ${call(`def ${name}`, ['self', ...inPath, '*', ...named], ` -> ${returns}:`, 4)}`;
}

/** The first sentence stands alone, so that it fits on the first line. */
function docstring({ summary, description }, parts) {
  const [first, ...others] = summary.split(/(?<=\.) (?=[A-Z])/);
  const list = parts
    .filter(({ doc }) => doc)
    .map(({ name, doc }) => block(`${name}: ${doc.replace(/\n+/g, ' ')}`, 12, 4));
  return [
    block(`"""${first}`, 8),
    '',
    ...(others.length > 0 ? [block(others.join(' '), 8), ''] : []),
    block(description, 8),
    '',
    '        Args:',
    ...list,
    '        """',
  ].join('\n');
}

const entries = (parts, place) => parts.filter((part) => part.place === place).map(({ name }) => `"${name}": ${name}`);

function routeText({ method, path, repeat, parts, operation, types }) {
  const nullable = parts.filter(({ isNullable }) => isNullable).map(({ name }) => `"${name}"`);
  const values = [
    `"${method}"`,
    `"${path}"`,
    `"${repeat}"`,
    ...(needsDevice(operation) ? ['needs_device=True'] : []),
    ...(types.hasClientRef(operation) ? ['has_client_ref=True'] : []),
    ...(nullable.length > 0 ? [`nullable=(${nullable.join(', ')}${nullable.length === 1 ? ',' : ''})`] : []),
  ];
  return call('Route', values, '', 12);
}

function methodBody(route, parts, isFile) {
  const places = { ids: 'path', query: 'query', body: 'body' };
  const groups = Object.entries(places).flatMap(([argument, place]) => {
    const fields = entries(parts, place);
    return fields.length > 0 ? [dict(`${argument}=`, fields, 12)] : [];
  });
  const others = parts.filter(({ place }) => place === 'call').map(({ name }) => `${name}=${name}`);
  return `        ${call(`return self.${isFile ? '_download' : '_call'}`, [route, ...groups, ...others], '', 8)}`;
}

/** The method that iterates over all pages, if the operation has pages with a cursor. */
function pagesMethod({ name, parts, data, answer, types }) {
  if (!parts.some((part) => part.name === 'cursor')) return [];
  const [items, { items: item }] = Object.entries(data.properties).find(([, { type }]) => type === 'array');
  const itemType = types.annotate(item, { name: answer + pascal(items).replace(/s$/, ''), prefix: 'types.' });
  const passed = parts.map((part) => `${part.name}=${part.name}`);
  const summary = `Iterate over the items of :meth:\`${name}\`, page by page.`;
  return [
    `${signature(name.replace(/^list/, 'iter'), parts, `Iterator[${itemType}]`)}
        """${summary}"""
        ${call('return self._pages', [`"${items}"`, `self.${name}`, ...passed], '', 8)}`,
  ];
}

/** The methods of one operation: itself, and the one that iterates over its pages. */
export function methodsOf({ operation, method, path, repeat, types }) {
  const name = snake(operation.operationId);
  const parts = typedArguments(operation, types);
  const json = operation.responses['200'].content['application/json'];
  const route = routeText({ method, path, repeat, parts, operation, types });
  if (json === undefined) {
    const doc = docstring(
      {
        ...operation,
        description: `${operation.description}\n\nYields the lines of the file. A refusal is raised before the first line.`,
      },
      parts,
    );
    return [`${signature(name, parts, 'Iterator[str]')}\n${doc}\n${methodBody(route, parts, true)}`];
  }
  const { data } = json.schema.properties;
  const answer = `${pascal(name)}Answer`;
  const returns = types.annotate(data, { name: answer, prefix: 'types.' });
  return [
    `${signature(name, parts, returns)}\n${docstring(operation, parts)}\n${methodBody(route, parts, false)}`,
    ...pagesMethod({ name, parts, data, answer, types }),
  ];
}
