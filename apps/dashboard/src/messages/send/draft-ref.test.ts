import { expect, test } from 'vitest';
import { createDraftRef } from './draft-ref.js';

test('a draft keeps its client_ref until it changes or is stored', () => {
  const ref = createDraftRef();
  const first = ref.of({ message: 'Hi' });
  expect(first).toMatch(/^page-[0-9a-f]{24}$/);
  expect(ref.of({ message: 'Hi' })).toBe(first);
  const changed = ref.of({ message: 'Hello' });
  expect(changed).not.toBe(first);
  ref.forget();
  expect(ref.of({ message: 'Hello' })).not.toBe(changed);
});
