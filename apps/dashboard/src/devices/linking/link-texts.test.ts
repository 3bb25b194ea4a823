import { linkFailures } from '@kurir/contracts/dashboard';
import { expect, test } from 'vitest';
import { linkEndSentence, linkTexts } from './link-texts.js';

test('each failure of linking has a sentence of its own in each language', () => {
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

test('an unknown detail gets the general sentence, and a reason that is not about linking gets none', () => {
  const unknown = linkEndSentence({ state_reason: 'link_failed', state_detail: 'toString' }, linkTexts.id);
  expect(unknown).toBe(linkTexts.id.link_failed);
  for (const state_reason of ['banned', 'toString', null])
    expect(linkEndSentence({ state_reason, state_detail: 'passkey_required' }, linkTexts.en)).toBeNull();
});
