import { afterEach, describe, expect, it } from 'vitest';
import { createRelay, type Relay } from '../index.js';

describe('a relay', () => {
  let relay: Relay | null = null;

  afterEach(async () => {
    await relay?.close();
    relay = null;
  });

  it('rejects when its port is taken', async () => {
    relay = await createRelay();
    const port = Number(new URL(relay.url).port);
    await expect(createRelay({ port })).rejects.toThrow('EADDRINUSE');
  });

  it('makes one phone for each number, and none for a malformed number', async () => {
    const made = await createRelay();
    relay = made;
    const numbers = ['4915100000001', '4915100000001', '4915100000002'];
    const [first, again, other] = await Promise.all(numbers.map((number) => made.createPhone(number)));
    expect(again?.lid).toBe(first?.lid);
    expect(other?.lid).not.toBe(first?.lid);
    await expect(made.createPhone('+49 151')).rejects.toThrow('not a phone number');
  });

  it('closes twice without harm', async () => {
    relay = await createRelay();
    await relay.close();
  });

  it('refuses plain HTTP if no handler is given', async () => {
    relay = await createRelay();
    const response = await fetch(relay.url.replace('ws:', 'http:'));
    expect(response.status).not.toBe(200);
  });
});
