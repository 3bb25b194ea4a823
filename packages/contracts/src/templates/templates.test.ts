import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { limits } from '../http/limits.js';
import { equalShare } from './equal-share.js';
import { type ParsedTemplate, parseTemplate, placeInText, variablesOf } from './parse-template.js';
import { renderTemplate, type Values } from './render-template.js';
import { type Part, printParts, scanTemplate } from './scan-template.js';

const who = { recipient: '6281234567890', seed: 'brd_1' };

function parsed(text: string, footer: string | null = null): ParsedTemplate {
  const parsing = parseTemplate(text, footer);
  if (!parsing.ok) throw new Error(JSON.stringify(parsing.errors));
  return parsing.template;
}

const rendered = (text: string, values: Values = {}, footer: string | null = null) =>
  renderTemplate(parsed(text, footer), values, who);
const textOf = (...given: Parameters<typeof rendered>) => {
  const rendering = rendered(...given);
  return rendering.kind === 'text' ? rendering.text : rendering;
};

describe('a text that is no template', () => {
  test.each([
    ['Halo {{nama', 'unclosed', 5],
    ['Halo {{', 'unclosed', 5],
    ['Halo {{nama} Apa kabar?', 'unclosed', 5],
    ['{{a {{b}}', 'unclosed', 0],
    ['{{a|{{b}}}}', 'unclosed', 0],
    ['{{a\\}}', 'unclosed', 0],
    ['Halo {nama}}', 'unopened', 10],
    ['{{}}', 'no_name', 0],
    ['{{  }}', 'no_name', 0],
    ['{{|Kak}}', 'no_name', 0],
    ['{{{nama}}}', 'bad_name', 0],
    ['{{na-ma}}', 'bad_name', 0],
    ['{{pilih:a|b}}', 'bad_name', 0],
    [`{{${'a'.repeat(65)}}}`, 'bad_name', 0],
    ['{{nama|Kak|Sis}}', 'many_fallbacks', 0],
    ['{{pick|Halo|Hai}}', 'no_colon', 0],
    ['{{pick:Halo}}', 'one_option', 0],
  ])('%j has the problem %s at %i', (text, problem, at) => {
    const parsing = parseTemplate(text);
    expect(parsing.ok || parsing.errors[0]).toEqual({ field: 'text', problem, at });
  });

  test('has each of its problems named, also in the footer', () => {
    const parsing = parseTemplate('{{}} }}', 'STOP {{');
    expect(parsing.ok || parsing.errors.map(({ field, problem, at }) => [field, problem, at])).toEqual([
      ['text', 'no_name', 0],
      ['text', 'unopened', 5],
      ['footer', 'unclosed', 5],
    ]);
  });

  test('has a place that people can count', () => {
    expect(placeInText('Halo 👋\n👋 {{', 10)).toEqual({ line: 2, character: 2 });
    expect(placeInText('{{', 0)).toEqual({ line: 1, character: 1 });
  });
});

describe('a text', () => {
  test.each([
    ['Halo {{nama}}!', { nama: 'Budi' }, 'Halo Budi!'],
    ['Halo {{  Nama   Depan }}!', { 'nama depan': 'Budi' }, 'Halo Budi!'],
    ['Halo {{NAMA}}!', { nama: ' ', Nama: 'Budi' }, 'Halo Budi!'],
    ['Halo {{nama|Kak}}!', { nama: '' }, 'Halo Kak!'],
    ['Halo{{nama|}}!', {}, 'Halo!'],
    ['Halo{{ nama | Kak }}!', {}, 'HaloKak!'],
    ['Halo{{nama|\\ Kak}}!', {}, 'Halo Kak!'],
    ['{{nama|a\\|b\\}}}', {}, 'a|b}'],
    ['{"a": {"b": 1} }', {}, '{"a": {"b": 1} }'],
    ['\\{{nama}\\} {{nama}}', { nama: 'x' }, '{{nama}} x'],
    ['¯\\_(ツ)_/¯ C:\\new \\\\', {}, '¯\\_(ツ)_/¯ C:\\new \\'],
    ['{{héllo_1}}', { HÉLLO_1: 'x' }, 'x'],
    ['{{constructor|no}}', {}, 'no'],
  ])('%j becomes %j', (text, values, expected) => expect(textOf(text, values as Values)).toBe(expected));

  test('has its footer after an empty line', () => {
    expect(textOf('Halo {{nama}}', { nama: 'Budi', toko: 'A' }, 'Balas STOP – {{toko}}')).toBe(
      'Halo Budi\n\nBalas STOP – A',
    );
    expect(textOf('Halo', {}, '')).toBe('Halo');
  });

  test('names each missing value once, as the template writes it', () => {
    expect(rendered('{{Nama}} {{nama}} {{kode}} {{kota|x}}', { kode: ' \n' })).toEqual({
      kind: 'missing',
      names: ['Nama', 'kode'],
    });
  });

  test.each([
    [{ name: 'Budi' }, 'Budi'],
    [{ nama: 'Budi' }, 'Budi'],
    [{ name: 'Budi Santoso', nama: 'Pak Budi' }, 'Pak Budi'],
    [{ name: 'Budi', nama: ' ' }, 'Budi'],
    [{}, null],
  ])('takes the value of a name from either language: %j', (values, text) => {
    expect(textOf('{{nama}}', values)).toEqual(text ?? { kind: 'missing', names: ['nama'] });
  });

  test('is refused if no message can carry it', () => {
    const max = limits.messageMaxCodePoints;
    expect(textOf('{{a}}', { a: '👋'.repeat(max) })).toHaveLength(2 * max);
    expect(rendered('{{a}}!', { a: '👋'.repeat(max) })).toEqual({ kind: 'refused', reason: 'too_long' });
    expect(rendered('{{a|}} ')).toEqual({ kind: 'refused', reason: 'empty' });
    expect(rendered('{{a}}', { a: 'a\u0000' })).toEqual({ kind: 'refused', reason: 'not_storable' });
    expect(rendered('{{a}}', { a: 'a\ud800' })).toEqual({ kind: 'refused', reason: 'not_storable' });
  });

  test('is refused before it fills the memory', () => {
    const long = { a: 'x'.repeat(1_000_000) };
    expect(rendered('{{a}}'.repeat(1_600), long)).toEqual({ kind: 'refused', reason: 'too_long' });
    expect(rendered(`${'{{a}}'.repeat(1_600)}{{b}}`, long)).toEqual({ kind: 'missing', names: ['b'] });
  });

  test('has variables in the order of their first place', () => {
    expect(variablesOf(parsed('{{Kode|x}} {{nama}} {{kode}} {{kota|}}', '{{toko}}'))).toEqual([
      { name: 'Kode', required: true },
      { name: 'nama', required: true },
      { name: 'kota', required: false },
      { name: 'toko', required: true },
    ]);
  });
});

const someText = fc.oneof(
  fc.string({ unit: fc.constantFrom('{', '}', '|', '\\', ' ', ':', 'pick', 'a', '\n') }),
  fc.string({ unit: 'binary' }),
);
const name = fc
  .stringMatching(/^[\p{L}\p{N}_]([\p{L}\p{N}_ ]{0,20}[\p{L}\p{N}_])?$/u)
  .map((text) => text.replace(/\s+/g, ' '))
  .filter((text) => text.toLowerCase() !== 'pick' && text.length <= 64);
const part: fc.Arbitrary<Part> = fc.oneof(
  fc.record({ kind: fc.constant('text' as const), text: someText.filter((text) => text !== '') }),
  fc.record({ kind: fc.constant('value' as const), name, fallback: fc.option(someText) }),
  fc.record({ kind: fc.constant('pick' as const), options: fc.array(someText, { minLength: 2, maxLength: 5 }) }),
);
/** Two texts that follow each other would be read as one. */
const parts = fc.array(part).map((all) => all.filter(({ kind }, i) => kind !== 'text' || all[i - 1]?.kind !== 'text'));

describe('for any input', () => {
  test('printed parts parse to the same parts', () => {
    fc.assert(
      fc.property(parts, (given) => {
        expect(parsed(printParts(given)).parts).toEqual(given);
      }),
    );
  });

  test('the pieces cover the text without gaps', () => {
    fc.assert(
      fc.property(someText, (text) => {
        const pieces = scanTemplate(text);
        expect(pieces.map(({ from, to }) => text.slice(from, to)).join('')).toBe(text);
        for (const { from, to } of pieces) expect(to).toBeGreaterThan(from);
      }),
    );
  });

  test('a value is put in as it is', () => {
    fc.assert(
      fc.property(someText, (value) => {
        fc.pre(value.trim() !== '');
        const rendering = rendered('[{{a}}{{b}}]', { a: value, b: '{{a}}{{pick:x|y}}' });
        if (rendering.kind === 'text') expect(rendering.text).toBe(`[${value}{{a}}{{pick:x|y}}]`);
        else expect(rendering).toEqual({ kind: 'refused', reason: 'not_storable' });
      }),
    );
  });

  test.each(['{', '{{', '{{{{a', '{{ ', '{{a|', '{{pick:', '}', '\\', '\\{{', '{{   ', '{{pick ', '|}}{{', ' '])(
    'twice as many %j take no more than about twice as long',
    (unit) => {
      // A quadratic scanner would need minutes.
      const pieces = scanTemplate(unit.repeat(1_000_000));
      expect(pieces.at(-1)?.to).toBe(unit.length * 1_000_000);
    },
  );
});

describe('a pick', () => {
  const options = parsed('{{pick:a|b|c}}{{PICK: d | e | f }}');
  const pickFor = (recipient: string, seed: string) => {
    const rendering = renderTemplate(options, {}, { recipient, seed });
    return rendering.kind === 'text' ? rendering.text : '';
  };

  test('is the same for the same recipient and seed, in every version of Kurir', () => {
    expect(['brd_1', 'brd_2', 'brd_3', 'brd_4'].map((seed) => pickFor('6281234567890', seed))).toMatchInlineSnapshot(`
      [
        "bf",
        "af",
        "cf",
        "bf",
      ]
    `);
  });

  test.each(['brd_1', 'brd_2', ''])('is spread evenly over neighbouring numbers, each independently (%j)', (seed) => {
    const counts = new Map<string, number>();
    const people = 90_000;
    for (let i = 0; i < people; i++) {
      const pair = pickFor(String(6281200000000 + i), seed);
      counts.set(pair, (counts.get(pair) ?? 0) + 1);
    }
    expect(counts.size).toBe(9);
    for (const count of counts.values()) expect(Math.abs(count - people / 9)).toBeLessThan(400);
  });

  test('is spread evenly over the broadcasts of one person', () => {
    const pairs = Array.from({ length: 9_000 }, (_, i) => pickFor('6281234567890', `brd_${i}`));
    for (const letter of 'abcdef')
      expect(Math.abs(pairs.filter((pair) => pair.includes(letter)).length - 3_000)).toBeLessThan(200);
  });
});

test.each([
  [[], null, false],
  [['a'], null, false],
  [['a', 'b'], 0.5, false],
  [['a', 'b', 'a'], 2 / 3, true],
  [['a', 'a'], 1, true],
])('of the texts %j the share %s is equal', (texts, share, mostAreEqual) => {
  expect(equalShare(texts)).toEqual({ share, mostAreEqual });
});
