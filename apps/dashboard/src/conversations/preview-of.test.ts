import { expect, test } from 'vitest';
import { chatTexts } from './chat-texts.js';
import type { Entry } from './conversation-queries.js';
import { previewOf } from './preview-of.js';

const plain = { direction: 'inbound', kind: 'message', type: 'text', text: null, emoji: null, priority: null } as const;
const shown = (changes: Partial<Entry>) => previewOf({ ...plain, ...changes } as Entry, chatTexts.id);

test('the newest message of a conversation stands in one line, with its writer if it is ours', () => {
  expect(shown({ text: 'Ada stok?' })).toBe('Ada stok?');
  expect(shown({ direction: 'outbound', text: 'Ada kak' })).toBe('Anda: Ada kak');
  expect(shown({ type: 'image' })).toBe('Gambar');
  expect(shown({ type: 'image', text: 'Yang ini' })).toBe('Yang ini');
  expect(shown({ kind: 'reaction', emoji: '👍' })).toBe('Memberi reaksi 👍');
});

test('an erased text and a one-time code say so', () => {
  expect(shown({})).toBe('Teksnya sudah dihapus.');
  expect(shown({ direction: 'outbound', priority: 'otp' })).toBe('Anda: Kode OTP. Isinya tidak pernah ditampilkan.');
});
