import { createSecretKey } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { parseKeys, showKeyId } from './keys.js';
import { signTicket, verifyTicket } from './sign-ticket.js';

const [a, b] = [Buffer.alloc(32, 1).toString('base64'), Buffer.alloc(32, 2).toString('base64')];

describe('keys', () => {
  it('have an id that stays the same, because stored boxes name it', () => {
    expect(showKeyId(createSecretKey(Buffer.alloc(32, 1)))).toBe('9038a5d0');
  });

  it('are parsed in their order', () => {
    const [first, second] = parseKeys(`${b}\n${a}`);
    expect(first.export().toString('base64')).toBe(b);
    expect(second?.export().toString('base64')).toBe(a);
  });

  it.each(['', ',', `${a},`, `${a} ${a}`, `${a},hunter2`, `,${a}`])(
    'are refused in %j, without a part of the text',
    (text) => {
      expect(() => parseKeys(text)).toThrow(/^(?!.*hunter2).+/);
    },
  );

  it('verify what any of them signed', () => {
    const [first, second] = parseKeys(`${a},${b}`);
    if (second === undefined) expect.fail('there is one key only');
    const signature = signTicket({ m: 'msg_1' }, second);
    expect(verifyTicket({ m: 'msg_1' }, signature, [first, second])).toBe(true);
    expect(verifyTicket({ m: 'msg_1' }, signature, [first])).toBe(false);
  });
});
