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

test('the default network is real, and the default sandbox reaches nobody', () => {
  expect(isSandbox(defaultNetwork)).toBe(false);
  expect(isSandbox(defaultSandbox)).toBe(true);
  expect(sandboxNetworks).toContain(defaultSandbox);
});

test.each(['toString', '__proto__', 'of a newer version', ''])('%j is not a network', (name) => {
  expect(isNetwork(name)).toBe(false);
  expect(isSandbox(name)).toBe(false);
});

test.each(networkNames)('%s has a way to link devices and tries a message at least once', (name) => {
  expect(networks[name].pairing.length).toBeGreaterThan(0);
  expect(networks[name].triesWithoutAnswer).toBeGreaterThan(0);
});
