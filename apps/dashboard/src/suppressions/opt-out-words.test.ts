import { expect, test } from 'vitest';
import { mistakesOf, type OptOutDraft } from './opt-out-words.js';
import { optOutTexts } from './texts.js';

const right: OptOutDraft = { stopWords: 'STOP\n\n BERHENTI ', startWords: 'MULAI', stopReply: '', startReply: 'Hai' };
const t = optOutTexts.en;

test('words and replies that the gateway takes have no mistake', () => {
  expect(Object.values(mistakesOf(right, t)).filter((mistake) => mistake !== undefined)).toEqual([]);
});

test.each([
  [{ stopWords: ' \n' }, 'stopWords', t.none],
  [{ stopWords: Array.from({ length: 21 }, (_, i) => `w${i}`).join('\n') }, 'stopWords', t.tooMany],
  [{ startWords: 'x'.repeat(31) }, 'startWords', t.tooLong('x'.repeat(31))],
  [{ startWords: 'MULAI\n🛑' }, 'startWords', t.noLetter('🛑')],
  [{ startWords: 'stop!' }, 'startWords', t.both('stop!')],
  [{ stopReply: '👋'.repeat(1_001) }, 'stopReply', t.replyTooLong],
] as const)('%j is a mistake in %s', (changed, field, sentence) => {
  expect(mistakesOf({ ...right, ...changed }, t)[field]).toBe(sentence);
});
