import { linkFailures } from '@kurir/contracts/dashboard';
import { expect, test } from 'vitest';
import { linkEndSentence, linkTexts } from './link-texts.js';

test('every way in which linking ends has its sentence, in each language its own', () => {
  const ends = [
    { state_reason: 'link_expired', state_detail: null },
    { state_reason: 'link_cancelled', state_detail: null },
    { state_reason: 'link_failed', state_detail: null },
    ...Object.keys(linkFailures).map((detail) => ({ state_reason: 'link_failed', state_detail: detail })),
  ];
  const told = (texts: (typeof linkTexts)['en']) => ends.map((end) => linkEndSentence(end, texts));
  expect(told(linkTexts.en)).not.toContain(null);
  expect(new Set([...told(linkTexts.en), ...told(linkTexts.id)]).size).toBe(2 * ends.length);
});

test('a word that nobody knows is a link that did not succeed, and other reasons are none of linking', () => {
  const unknown = linkEndSentence({ state_reason: 'link_failed', state_detail: 'toString' }, linkTexts.id);
  expect(unknown).toBe(linkTexts.id.link_failed);
  for (const state_reason of ['banned', 'toString', null])
    expect(linkEndSentence({ state_reason, state_detail: 'passkey_required' }, linkTexts.en)).toBeNull();
});
