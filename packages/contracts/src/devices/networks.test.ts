import { expect, test } from 'vitest';
import {
  defaultNetwork,
  defaultSandbox,
  isNetwork,
  isSandbox,
  networkNames,
  networks,
  sandboxNetworks,
} from './networks.js';

test('a real network is the usual one; the one for trying reaches nobody', () => {
  expect(isSandbox(defaultNetwork)).toBe(false);
  expect(isSandbox(defaultSandbox)).toBe(true);
  expect(sandboxNetworks).toContain(defaultSandbox);
});

test.each(['toString', '__proto__', 'of a newer version', ''])('%j is no network', (name) => {
  expect(isNetwork(name)).toBe(false);
  expect(isSandbox(name)).toBe(false);
});

test.each(networkNames)('%s links devices in some way and tries a message at least once', (name) => {
  expect(networks[name].pairing.length).toBeGreaterThan(0);
  expect(networks[name].triesWithoutAnswer).toBeGreaterThan(0);
});
