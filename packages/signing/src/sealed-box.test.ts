import { createCipheriv, createSecretKey, type KeyObject, randomBytes } from 'node:crypto';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { keyIdOf } from './keys.js';
import { open, seal, sealAs } from './sealed-box.js';
import { openEnvelope, rewrapEnvelope, sealEnvelope } from './sealed-envelope.js';

const key = createSecretKey(Buffer.alloc(32, 1));
const otherKey = createSecretKey(Buffer.alloc(32, 2));

function flipBit(bytes: Uint8Array, bit: number): Buffer<ArrayBuffer> {
  const flipped = Buffer.from(bytes);
  const index = Math.floor(bit / 8) % flipped.length;
  flipped.writeUInt8(flipped.readUInt8(index) ^ (1 << (bit % 8)), index);
  return flipped;
}

const reopenEnvelope = (reader: KeyObject, sealed: Uint8Array, aad: string) => openEnvelope([reader], sealed, aad);

const someBytes = fc.uint8Array({ maxLength: 300 });

describe.each([
  { kind: 'box', close: seal, reopen: open },
  { kind: 'envelope', close: sealEnvelope, reopen: reopenEnvelope },
])('a sealed $kind', ({ close, reopen }) => {
  it('refuses any flipped bit, even in the version byte', () => {
    fc.assert(
      fc.property(someBytes, fc.string(), fc.nat(), (plaintext, aad, bit) => {
        expect(reopen(key, flipBit(close(key, plaintext, aad), bit), aad)).toBeNull();
      }),
    );
    const sealed = close(key, 'ks_test_x', 'acc_1|kk_test_1|1');
    for (let bit = 0; bit < sealed.length * 8; bit++) {
      expect(reopen(key, flipBit(sealed, bit), 'acc_1|kk_test_1|1')).toBeNull();
    }
  });

  it('refuses another key and another aad', () => {
    const sealed = close(key, 'ks_test_x', 'acc_1|kk_test_1|1');
    expect(reopen(otherKey, sealed, 'acc_1|kk_test_1|1')).toBeNull();
    for (const aad of ['acc_2|kk_test_1|1', 'acc_1|kk_test_1|2', '']) expect(reopen(key, sealed, aad)).toBeNull();
  });

  it('refuses a shortened or lengthened box', () => {
    const sealed = close(key, 'ks_test_x', 'aad');
    for (let length = 0; length < sealed.length; length++)
      expect(reopen(key, sealed.subarray(0, length), 'aad')).toBeNull();
    expect(reopen(key, Buffer.concat([sealed, Buffer.of(0)]), 'aad')).toBeNull();
  });

  it('refuses any other bytes without an error', () => {
    fc.assert(fc.property(someBytes, fc.string(), (bytes, aad) => reopen(key, bytes, aad) === null));
    // The right version byte comes first, so that the rest gets as far as the cipher.
    fc.assert(
      fc.property(
        fc.constantFrom([1], [2], [3, ...keyIdOf(key)]),
        someBytes,
        (header, bytes) => reopen(key, Buffer.from([...header, ...bytes]), '') === null,
      ),
    );
  });

  it('throws if the key is not 256 bits, because that is a mistake in the program', () => {
    const shortKey = createSecretKey(Buffer.alloc(16, 1));
    expect(() => close(shortKey, 'x', 'aad')).toThrow(RangeError);
    expect(() => reopen(shortKey, close(key, 'x', 'aad'), 'aad')).toThrow(RangeError);
  });

  it('returns the sealed bytes, text as UTF-8, even when empty', () => {
    fc.assert(
      fc.property(someBytes, fc.string({ unit: 'binary' }), (plaintext, aad) => {
        expect(reopen(key, close(key, plaintext, aad), aad)).toEqual(Buffer.from(plaintext));
      }),
    );
    expect(reopen(key, close(key, 'Kode 🚀', 'aad'), 'aad')?.toString('utf8')).toBe('Kode 🚀');
    expect(reopen(key, close(key, '', ''), '')).toEqual(Buffer.alloc(0));
  });

  it('opens a view into a larger buffer, as database drivers return it', () => {
    const sealed = close(key, 'ks_test_x', 'aad');
    const larger = new Uint8Array(sealed.length + 20).fill(9);
    larger.set(sealed, 7);
    expect(reopen(key, larger.subarray(7, 7 + sealed.length), 'aad')?.toString()).toBe('ks_test_x');
  });

  it('is never the same twice', () => {
    expect(close(key, 'same', 'aad')).not.toEqual(close(key, 'same', 'aad'));
  });
});

describe('the box', () => {
  it('consists of version, nonce, ciphertext and tag, and the tag covers the version', () => {
    const nonce = Buffer.alloc(12, 7);
    const cipher = createCipheriv('aes-256-gcm', key, nonce).setAAD(Buffer.from('\x01acc_1', 'utf8'));
    const made = [Buffer.of(1), nonce, cipher.update('text'), cipher.final(), cipher.getAuthTag()];
    expect(open(key, Buffer.concat(made), 'acc_1')?.toString()).toBe('text');
    expect(seal(key, 'text', 'acc_1')).toHaveLength(1 + 12 + 4 + 16);
  });
});

describe('the envelope', () => {
  const sealed = sealEnvelope(key, 'session keys', 'dev_1');
  const wrappedBytes = 81;

  /** An envelope as the version before ids made it. */
  function sealOld(masterKey: KeyObject, plaintext: string, aad: string): Buffer<ArrayBuffer> {
    const dataKey = randomBytes(32);
    return Buffer.concat([
      sealAs(Buffer.of(2), masterKey, dataKey, aad),
      seal(createSecretKey(dataKey), plaintext, aad),
    ]);
  }

  it('names the master key that wraps it', () => {
    expect([sealed[0], ...sealed.subarray(1, 5)]).toEqual([3, ...keyIdOf(key)]);
    expect(keyIdOf(key)).not.toEqual(keyIdOf(otherKey));
  });

  it('opens with any of several keys, and with none of the others', () => {
    expect(openEnvelope([otherKey, key], sealed, 'dev_1')?.toString()).toBe('session keys');
    expect(openEnvelope([otherKey], sealed, 'dev_1')).toBeNull();
  });

  it('opens in the form of the version before ids', () => {
    const old = sealOld(key, 'session keys', 'dev_1');
    expect(openEnvelope([otherKey, key], old, 'dev_1')?.toString()).toBe('session keys');
    expect(openEnvelope([otherKey], old, 'dev_1')).toBeNull();
    expect(openEnvelope([key], old, 'dev_2')).toBeNull();
    for (let bit = 0; bit < old.length * 8; bit++) expect(openEnvelope([key], flipBit(old, bit), 'dev_1')).toBeNull();
  });

  it('wraps each data key under a key of its own', () => {
    const again = sealEnvelope(key, 'session keys', 'dev_1');
    expect(sealed.subarray(5, 21)).not.toEqual(again.subarray(5, 21));
    const otherSalt = Buffer.concat([sealed.subarray(0, 5), again.subarray(5, 21), sealed.subarray(21)]);
    expect(openEnvelope([key], otherSalt, 'dev_1')).toBeNull();
  });

  it('does not open as a box, nor a box as an envelope', () => {
    expect(open(key, sealed, 'dev_1')).toBeNull();
    expect(open(key, sealed.subarray(0, wrappedBytes), 'dev_1')).toBeNull();
    expect(
      openEnvelope(
        [key],
        Buffer.concat([seal(key, Buffer.alloc(32), 'dev_1'), sealed.subarray(wrappedBytes)]),
        'dev_1',
      ),
    ).toBeNull();
  });

  it('does not open when it is made from two others', () => {
    const other = sealEnvelope(key, 'session keys', 'dev_1');
    expect(
      openEnvelope([key], Buffer.concat([sealed.subarray(0, wrappedBytes), other.subarray(wrappedBytes)]), 'dev_1'),
    ).toBeNull();
  });

  it('is not rewrapped when no key opens it', () => {
    expect(rewrapEnvelope([createSecretKey(Buffer.alloc(32, 3)), otherKey], sealed, 'dev_1')).toBeNull();
    expect(rewrapEnvelope([otherKey, key], sealed, 'dev_2')).toBeNull();
    expect(rewrapEnvelope([otherKey, key], Buffer.alloc(0), 'dev_1')).toBeNull();
  });

  it.each([
    ['its present form', sealed, wrappedBytes],
    ['the form of the version before ids', sealOld(key, 'session keys', 'dev_1'), 61],
  ])('opens only with the new master key after it is rewrapped from %s, and its body is unchanged', (_, before, at) => {
    const rewrapped = rewrapEnvelope([otherKey, key], before, 'dev_1') ?? expect.fail('was not rewrapped');
    expect(openEnvelope([otherKey], rewrapped, 'dev_1')?.toString()).toBe('session keys');
    expect(openEnvelope([key], rewrapped, 'dev_1')).toBeNull();
    expect(Buffer.from(rewrapped.subarray(wrappedBytes))).toEqual(before.subarray(at));
  });

  it('gets an id when it is rewrapped under the same key from the version before ids', () => {
    const rewrapped = rewrapEnvelope([key], sealOld(key, 'x', 'dev_1'), 'dev_1') ?? expect.fail('was not rewrapped');
    expect([rewrapped[0], ...rewrapped.subarray(1, 5)]).toEqual([3, ...keyIdOf(key)]);
  });

  it('stays unchanged when a rotation runs a second time', () => {
    const once = rewrapEnvelope([otherKey, key], sealed, 'dev_1') ?? expect.fail('was not rewrapped');
    expect(rewrapEnvelope([otherKey, key], once, 'dev_1')).toBe(once);
  });
});
