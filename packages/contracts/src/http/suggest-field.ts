/** Finds the field that somebody meant by a name that a schema does not have. */
import { z } from 'zod';

/** Words of other gateways. A word counts only where the schema has the field. */
const synonyms: ReadonlyMap<string, string> = new Map(
  Object.entries({
    to: 'phone_destination',
    phone: 'phone_destination',
    phonenumber: 'phone_destination',
    number: 'phone_destination',
    recipient: 'phone_destination',
    destination: 'phone_destination',
    target: 'phone_destination',
    text: 'message',
    body: 'message',
    content: 'message',
    reference: 'client_ref',
    ref: 'client_ref',
    idempotencykey: 'client_ref',
    ttl: 'ttl_seconds',
    schedule: 'send_at',
    scheduledat: 'send_at',
  }),
);

function fieldsAt(schema: unknown, path: readonly PropertyKey[]): readonly string[] {
  if (schema instanceof z.ZodPipe) return fieldsAt(schema.in, path);
  if (schema instanceof z.ZodOptional || schema instanceof z.ZodNullable) return fieldsAt(schema.unwrap(), path);
  const [first, ...rest] = path;
  if (schema instanceof z.ZodArray) return fieldsAt(schema.element, rest);
  if (!(schema instanceof z.ZodObject)) return [];
  return first === undefined ? Object.keys(schema.shape) : fieldsAt(schema.shape[String(first)], rest);
}

const plain = (name: string): string => name.replaceAll(/[^a-z]/gi, '').toLowerCase();

/** True if one letter was added, left out or changed, or two neighbours changed places. */
function isOneSlip(given: string, meant: string): boolean {
  let start = 0;
  while (start < given.length && given[start] === meant[start]) start++;
  const [left, right] = [given.slice(start), meant.slice(start)];
  const isSwapped = left.length > 1 && left[0] === right[1] && left[1] === right[0] && left.slice(2) === right.slice(2);
  return isSwapped || left.slice(1) === right.slice(1) || left.slice(1) === right || left === right.slice(1);
}

/** Returns the field of the schema at the path, or null. A long name is not looked at. */
export function suggestField(schema: z.ZodType, path: readonly PropertyKey[], name: string): string | null {
  const given = plain(name);
  if (given.length < 2 || name.length > 64) return null;
  const fields = fieldsAt(schema, path);
  const synonym = fields.find((field) => field === synonyms.get(given));
  return (
    fields.find((field) => plain(field) === given) ??
    synonym ??
    fields.find((field) => isOneSlip(given, plain(field))) ??
    null
  );
}
