import { afterEach, expect, test, vi } from 'vitest';
import { readImport, writeImport } from './import-store.js';

afterEach(() => vi.unstubAllGlobals());

function storageOf(isForbidden: boolean) {
  const kept = new Map<string, string>();
  const checked = <T>(value: T): T => {
    if (isForbidden) throw new DOMException('forbidden', 'SecurityError');
    return value;
  };
  return {
    getItem: (key: string) => checked(kept.get(key) ?? null),
    removeItem: (key: string) => checked(kept.delete(key)),
    setItem: (key: string, text: string) => checked(kept.set(key, text)),
  };
}

test.each([false, true])(
  'a person finds the import again, and another person does not: forbidden %s',
  (isForbidden) => {
    vi.stubGlobal('sessionStorage', storageOf(isForbidden));
    writeImport('usr_1 acc_1', 'imp_1');
    expect(readImport('usr_1 acc_1')).toBe('imp_1');
    expect(readImport('usr_2 acc_1')).toBeNull();
    writeImport('usr_1 acc_1', null);
    expect(readImport('usr_1 acc_1')).toBeNull();
  },
);
