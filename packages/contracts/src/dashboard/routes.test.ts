import { readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';
import { adminRoutes } from './admin-routes.js';
import type { DashboardRoute, OperationEntry } from '../operation-entry.js';
import { deviceRoutes } from './device-routes.js';
import { eventRoutes } from './event-routes.js';
import { keyRoutes } from './key-routes.js';
import { messageRoutes } from './message-routes.js';
import { moneyRoutes } from './money-routes.js';
import { endpoints, operations } from '../endpoints.js';
import {
  dashboardOperations,
  dashboardRoutes,
  operationNames,
  ownDashboardOperations,
  ownDashboardRoutes,
  routeTable,
} from './routes.js';
import { sessionRoutes } from './session-routes.js';

const tables = [sessionRoutes, deviceRoutes, messageRoutes, keyRoutes, moneyRoutes, adminRoutes, eventRoutes];
const routes: readonly DashboardRoute[] = ownDashboardOperations.map((operation) => ownDashboardRoutes[operation]);

test('no table hides a route of another', () => {
  expect(ownDashboardOperations).toHaveLength(tables.reduce((sum, table) => sum + Object.keys(table).length, 0));
  expect(Object.keys(endpoints).filter((operation) => operation in ownDashboardRoutes)).toEqual([]);
});

test('a person can use every operation of the public api that names a role', () => {
  const forPeople = operations.filter((operation) => endpoints[operation].access !== null);
  expect(dashboardOperations).toEqual([...forPeople, ...ownDashboardOperations]);
  for (const operation of forPeople) expect(dashboardRoutes).toHaveProperty(operation, endpoints[operation]);
});

test('every path stands under /app/api, once per method', () => {
  const places = routes.map(({ method, path }) => `${method} ${path.replace(/\{\w+\}/g, '{}')}`);
  expect(new Set(places).size).toBe(places.length);
  for (const { path } of routes) expect(path).toMatch(/^\/app\/api(\/[a-z]+(\.csv)?|\/\{[a-z_]+\})+$/);
});

test('what asks for a confirmation says so, and reading never changes anything', () => {
  for (const { confirmed, errors, method, body, summary } of routes) {
    expect(errors.includes('CONFIRMATION_REQUIRED'), summary).toBe(confirmed === true);
    if (method === 'GET') expect(body, summary).toBeNull();
  }
});

test('what changes something is audited, but for what nobody would look for later', () => {
  const entryOf = (name: (typeof operationNames)[number]): OperationEntry => routeTable[name];
  const silent = operationNames.filter((name) => entryOf(name).method !== 'GET' && entryOf(name).audit === null);
  expect(silent).toEqual([
    // A key's messages are their own record.
    'sendBulk',
    // Nothing is stored.
    'chatPresence',
    // It concerns the person's own session only.
    'switchAccount',
    // The sandbox's phones.
    'pretendScan',
    'writeFromPhone',
    // Nothing is stored.
    'debugSignature',
  ]);
  for (const name of operationNames) if (entryOf(name).method === 'GET') expect(entryOf(name).audit, name).toBeNull();
});

test('only an operator’s routes stand under /admin, and all of them ask for one', () => {
  for (const { path, access } of routes) expect(path.startsWith('/app/api/admin/')).toBe(access === 'admin');
});

function importsOf(file: string): string[] {
  return [...readFileSync(file, 'utf8').matchAll(/^(?:import|export) (?!type ).*?from '([^']+)'/gms)].map(
    ([, specifier = '']) => specifier,
  );
}

function reachableFrom(file: string, seen: Map<string, string[]>): Map<string, string[]> {
  if (seen.has(file)) return seen;
  const imports = importsOf(file);
  seen.set(file, imports);
  for (const specifier of imports)
    if (specifier.startsWith('.')) reachableFrom(join(dirname(file), specifier.replace(/\.js$/, '.ts')), seen);
  return seen;
}

test('a browser can load the table: nothing of Node is behind it', () => {
  const seen = reachableFrom(join(dirname(fileURLToPath(import.meta.url)), 'index.ts'), new Map());
  const libraries = new Set([...seen.values()].flat().filter((specifier) => !specifier.startsWith('.')));
  expect(seen.size).toBeGreaterThan(10);
  expect([...libraries].sort()).toEqual(['libphonenumber-js/min', 'zod']);
});
