// The arguments of an operation, from the OpenAPI document, for the client of any language.

/** The descriptions of arguments that the document leaves out. */
const COMMON = {
  cursor: 'The `next_cursor` of the page before. Left out: begin with the first page.',
  device_id: 'The device of this call. The default is that of the client.',
  limit: 'How many items a page has at most.',
  timeout: 'How long each try may take, in seconds. The default is that of the client.',
};

export class Schemas {
  #schemas;

  constructor(schemas) {
    this.#schemas = schemas;
  }

  resolve(schema) {
    return schema.$ref === undefined ? schema : this.#schemas[schema.$ref.replace(/^.*\//, '')];
  }

  isNullable(schema) {
    const { anyOf = [], type } = this.resolve(schema);
    const types = [type].flat();
    return types.includes('null') || anyOf.some((one) => this.isNullable(one));
  }

  bodyOf({ requestBody }) {
    const schema = requestBody?.content['application/json'].schema;
    return schema === undefined ? {} : this.resolve(schema);
  }

  /** Whether the gateway recognises a repeat of the message, the device or one of the messages by its `client_ref`. */
  hasClientRef(operation) {
    const body = this.bodyOf(operation);
    const items = this.resolve(body.properties?.messages?.items ?? {});
    return [body, items].some(({ properties }) => properties?.client_ref);
  }
}

export const needsDevice = ({ parameters }) => parameters.some(({ name }) => name === 'X-Device-Id');

/**
 * `{name, schema, required, doc, place, isList, isNullable}` for each argument, the required ones first. `place` is
 * `path`, `query`, `body` or `call`.
 */
export function argumentsOf(operation, schemas) {
  const ofParameters = operation.parameters
    .filter((parameter) => parameter.in !== 'header')
    .map((parameter) => ({ ...parameter, place: parameter.in }));
  const body = schemas.bodyOf(operation);
  const ofBody = Object.entries(body.properties ?? {}).map(([name, schema]) => ({
    name,
    schema,
    place: 'body',
    required: body.required?.includes(name),
  }));
  const all = [...ofParameters, ...ofBody].map(({ name, schema, place, required = false, description }) => {
    const fallback = name === 'device_id' ? undefined : COMMON[name];
    const doc = description ?? schemas.resolve(schema).description ?? fallback;
    const isList = place === 'query' && / separated by commas/.test(doc ?? '');
    return { name, schema, required, place, doc, isList, isNullable: place === 'body' && schemas.isNullable(schema) };
  });
  return [
    ...all.filter(({ required }) => required),
    ...all.filter(({ required }) => !required),
    ...ofCall(operation, body),
  ];
}

/** `Idempotency-Key` is the same as `client_ref`, so an operation with both has only the second. */
function ofCall(operation, body) {
  const key = operation.parameters.find(({ name }) => name === 'Idempotency-Key');
  const common = (name, type, doc = COMMON[name]) => ({ name, schema: { type }, required: false, place: 'call', doc });
  return [
    ...(key && !body.properties?.client_ref ? [common('idempotency_key', 'string', key.description)] : []),
    ...(needsDevice(operation) ? [common('device_id', 'string')] : []),
    common('timeout', 'number'),
  ];
}
