// Schemas of the OpenAPI document as types of Python: a TypedDict for each object, an alias for each union.
import { Schemas } from './operation-arguments.mjs';
import { block, call } from './python-text.mjs';

const KEYWORDS = new Set(['from', 'in', 'is', 'not', 'or', 'and', 'if', 'for', 'as', 'class', 'global', 'import']);

export const pascal = (name) => name.replace(/(?:^|_)([a-z0-9])/g, (_match, letter) => letter.toUpperCase());

/** The shape of an answer has a name of its own only where it is stricter, which Python's types do not show. */
const typeName = (reference) => reference.replace(/^.*\//, '').replace(/Output$/, '');

export class PythonTypes extends Schemas {
  #classes = new Map();

  /**
   * The annotation of a schema. An object without a name gets `name`. `prefix` stands before the names of classes.
   * A `given` value comes from the caller, who may give a datetime.
   */
  annotate(schema, { name, prefix = '', given = false }) {
    const options = { name, prefix, given };
    if (schema.$ref !== undefined) return prefix + this.#define(typeName(schema.$ref), this.resolve(schema), given);
    const { anyOf, oneOf = anyOf, type, items, properties, additionalProperties } = schema;
    if (oneOf) return [...new Set(mergeObjects(oneOf).map((one) => this.annotate(one, options)))].join(' | ');
    if (Array.isArray(type)) return type.map((one) => this.annotate({ ...schema, type: one }, options)).join(' | ');
    if (schema.const !== undefined || schema.enum) return literal(schema.enum ?? [schema.const]);
    if (type === 'array')
      return `${given ? 'Sequence' : 'list'}[${this.annotate(items, { ...options, name: singular(name) })}]`;
    if (properties) return prefix + this.#define(name, schema, given);
    if (type === 'object' && typeof additionalProperties === 'object')
      return `${given ? 'Mapping' : 'dict'}[str, ${this.annotate(additionalProperties, options)}]`;
    return scalar(schema, given);
  }

  /** Adds the class or the alias if it is not there yet, and returns its name. */
  #define(name, schema, given) {
    if (this.#classes.has(name)) return name;
    this.#classes.set(name, '');
    const union = schema.oneOf ?? schema.anyOf;
    const code = union
      ? `${name} = Union[\n${union.map((one) => `    "${this.annotate(one, { name, given })}",`).join('\n')}\n]`
      : this.#typedDict(name, schema, given);
    this.#classes.set(name, code);
    return name;
  }

  /** Python below 3.11 has no NotRequired, and a class has no key that is a keyword. So a base class holds those. */
  #typedDict(name, { properties, required = [], description }, given) {
    const fields = Object.entries(properties).map(([key, value]) => ({
      key,
      type: this.annotate(value, { name: name + pascal(key), given }),
      isRequired: required.includes(key),
    }));
    const odd = fields.filter(({ key }) => KEYWORDS.has(key));
    if (odd.length > 1) throw new Error(`${name} has two keys that are keywords`);
    const plain = fields.filter((field) => !odd.includes(field));
    const needed = plain.filter(({ isRequired }) => isRequired);
    const optional = plain.filter(({ isRequired }) => !isRequired);
    const parts = odd.map(({ key, type, isRequired }) => {
      const total = isRequired ? [] : ['total=False'];
      return {
        name: `_${name}${pascal(key)}`,
        code: (own) => call(`${own} = TypedDict`, [`"${own}"`, `{"${key}": "${type}"}`, ...total], '', 0),
      };
    });
    if (needed.length > 0 && optional.length > 0)
      parts.push({ name: `_${name}Required`, code: (own, base) => classText(own, base, needed) });
    const last = optional.length > 0 ? optional : needed;
    const total = optional.length > 0 ? ', total=False' : '';
    parts.push({ name, code: (own, base) => classText(own, base + total, last, description) });
    return parts.map((part, index) => part.code(part.name, parts[index - 1]?.name ?? 'TypedDict')).join('\n\n\n');
  }

  /** The module of all types that were asked for so far. A base stands before its class. */
  module(header) {
    const isAlias = (code) => code.includes(' = Union[');
    const codes = [...this.#classes].sort(([a], [b]) => (a < b ? -1 : 1)).map(([, code]) => code);
    const imports = [
      'from __future__ import annotations',
      '',
      'from collections.abc import Mapping, Sequence',
      'from datetime import datetime',
      'from typing import Literal, TypedDict, Union',
    ];
    return `${[`${header}\n\n${imports.join('\n')}`, ...codes.filter((code) => !isAlias(code)), ...codes.filter(isAlias)].join('\n\n\n')}\n`;
  }
}

/** Objects without names of their own become one, in which only the fields are certain that all of them have. */
function mergeObjects(variants) {
  const objects = variants.filter(({ properties }) => properties);
  if (objects.length < 2) return variants;
  const properties = Object.assign({}, ...objects.map((one) => one.properties));
  const required = Object.keys(properties).filter((key) => objects.every((one) => one.required?.includes(key)));
  return [{ type: 'object', properties, required }, ...variants.filter((one) => !objects.includes(one))];
}

function classText(name, base, fields, description) {
  const doc = description ? `${block(`"""${description}"""`, 4)}\n\n` : '';
  const lines = fields.map(({ key, type }) => `    ${key}: ${wrapLiteral(type, key.length + 6)}`);
  return `class ${name}(${base}):\n${doc}${lines.join('\n') || '    pass'}`;
}

const literal = (values) => {
  if (values.join() === 'true,false') return 'bool';
  return `Literal[${values.map((value) => (typeof value === 'boolean' ? pascal(String(value)) : JSON.stringify(value))).join(', ')}]`;
};

/** Breaks a long list of words, one a line. `before` is the width of the text in front. */
export function wrapLiteral(type, before, indent = 4) {
  if (before + type.length <= 100) return type;
  const pad = ' '.repeat(indent);
  return type.replace(
    /\[("[^[\]]*)\]/g,
    (_match, words) =>
      `[\n${words
        .split(', ')
        .map((word) => `${pad}    ${word},`)
        .join('\n')}\n${pad}]`,
  );
}

const singular = (name) => name.replace(/ies$/, 'y').replace(/s$/, '');

function scalar({ type, format }, given) {
  if (given && format === 'date-time') return 'datetime | str';
  return { string: 'str', integer: 'int', number: 'float', boolean: 'bool', null: 'None' }[type] ?? 'object';
}
