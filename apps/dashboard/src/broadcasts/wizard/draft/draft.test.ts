import { afterEach, expect, test, vi } from 'vitest';
import { changed, emptyDraft, readDraft, writeDraft } from './draft.js';

function storageOf(maxLength: number) {
  const kept = new Map<string, string>();
  return {
    getItem: (key: string) => kept.get(key) ?? null,
    removeItem: (key: string) => kept.delete(key),
    setItem: (key: string, text: string) => {
      if (text.length > maxLength) throw new DOMException('full', 'QuotaExceededError');
      kept.set(key, text);
    },
  };
}

afterEach(() => vi.unstubAllGlobals());

test('a person finds the draft again, and another person does not', () => {
  vi.stubGlobal('sessionStorage', storageOf(10_000));
  writeDraft('usr_1 acc_1', { ...emptyDraft, text: 'Halo' });
  expect(readDraft('usr_1 acc_1').text).toBe('Halo');
  expect(readDraft('usr_2 acc_1')).toEqual(emptyDraft);
  writeDraft('usr_1 acc_1', null);
  expect(readDraft('usr_1 acc_1')).toEqual(emptyDraft);
});

test('a draft that is too large for the storage is kept in memory', () => {
  vi.stubGlobal('sessionStorage', storageOf(2_000));
  writeDraft('usr_1 acc_1', { ...emptyDraft, pasted: '0'.repeat(5_000) });
  expect(readDraft('usr_1 acc_1').pasted).toHaveLength(5_000);
  writeDraft('usr_1 acc_1', { ...emptyDraft, pasted: '0812' });
  expect(readDraft('usr_1 acc_1').pasted).toBe('0812');
});

test('a draft of an older page gets the fields that it lacks', () => {
  const storage = storageOf(10_000);
  vi.stubGlobal('sessionStorage', storage);
  storage.setItem('kurir.broadcast.usr_1 acc_1', '{"text":"Halo"}');
  expect(readDraft('usr_1 acc_1')).toEqual({ ...emptyDraft, text: 'Halo' });
  storage.setItem('kurir.broadcast.usr_1 acc_1', '{');
  expect(readDraft('usr_1 acc_1')).toEqual(emptyDraft);
});

test.each([
  [{ text: 'Hai' }, true],
  [{ pasted: '0812' }, true],
  [{ sendAt: '2026-12-01T08:00' }, true],
  [{ name: 'Promo', pace: '60', deviceIds: ['dev_1'] }, false],
  [{ rules: { ...emptyDraft.rules, hours: 'any' } }, false],
] as const)('after %j the draft of the gateway is stale: %s', (part, isStale) => {
  const draft = { ...emptyDraft, created: { broadcastId: 'brc_1', isStale: false } };
  expect(changed(draft, part).created).toEqual({ broadcastId: 'brc_1', isStale });
  expect(changed(emptyDraft, part).created).toBeNull();
});
