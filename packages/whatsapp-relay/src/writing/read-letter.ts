/** Reads a letter from JSON, for the HTTP side. */
import { fileTypes, type Letter } from '../wire/letter-protobuf.js';

type Fields = Readonly<Record<string, unknown>>;
type Check = (value: unknown) => boolean;

const text: Check = (value) => typeof value === 'string';
const number: Check = (value) => typeof value === 'number';
const texts: Check = (value) => Array.isArray(value) && value.every(text);
const quote: Check = (value) => value === undefined || (isFields(value) && text(value['id']) && text(value['text']));

/** The fields that each kind must have, and the optional ones that are more than a word. */
const fields: Readonly<Record<Letter['kind'], Readonly<Record<string, Check>>>> = {
  text: { text, replyTo: quote },
  file: { type: (value) => fileTypes.some((type) => type === value) },
  location: { latitude: number, longitude: number },
  contact: { name: text, phone: text },
  poll: { question: text, options: texts },
  button: { text, of: text },
  order: { title: text },
  reaction: { of: text, emoji: text },
  edit: { of: text, text },
  deletion: { of: text },
  bytes: { base64: text },
};

/** Throws with the fields that the kind needs. */
export function readLetter(value: unknown): Letter {
  const { kind, ...given } = isFields(value) ? value : {};
  const known = Object.entries(fields).find(([name]) => name === kind);
  if (!known) throw new Error(`the letter needs a kind: ${Object.keys(fields).join(', ')}`);
  const [name, checks] = known;
  const wrong = Object.entries(checks).filter(([field, check]) => !check(given[field]));
  if (wrong.length > 0)
    throw new Error(`a letter of the kind ${name} needs ${wrong.map(([field]) => field).join(', ')}`);
  // Each field that the kind needs was checked.
  return value as Letter;
}

function isFields(value: unknown): value is Fields {
  return typeof value === 'object' && value !== null;
}
