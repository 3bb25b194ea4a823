import { expect, test } from 'vitest';
import { withNewReferences } from './new-references.js';

const example = JSON.stringify({ message: 'Kode', client_ref: 'login-7781' }, null, 2);

test('each send has a reference of its own, so that the second try is no repeat', () => {
  const first = withNewReferences(example, example, '0a1b2c3d');
  expect(JSON.parse(first)).toEqual({ message: 'Kode', client_ref: 'login-7781-0a1b2c3d' });
  expect(JSON.parse(withNewReferences(first, example, 'ffffffff'))).toEqual({
    message: 'Kode',
    client_ref: 'login-7781-ffffffff',
  });
});

test('a reference that a person typed stays, so that a repeat can be tried', () => {
  const typed = example.replace('login-7781', 'mine');
  expect(withNewReferences(typed, example, '0a1b2c3d')).toBe(typed);
});

test('a bulk has several', () => {
  const bulk = JSON.stringify({ messages: [{ client_ref: 'a.1' }, { client_ref: 'b' }] });
  expect(withNewReferences(bulk, bulk, '0a1b2c3d')).toBe(
    '{"messages":[{"client_ref":"a.1-0a1b2c3d"},{"client_ref":"b-0a1b2c3d"}]}',
  );
});
