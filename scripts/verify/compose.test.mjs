// The compose files give each container only what it needs.
import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';

const read = (path) => readFileSync(new URL(`../../${path}`, import.meta.url), 'utf8');

/** `{name: text}` of the services in one file. The lines of a service are indented by four. */
function servicesOf(path) {
  const [, text] = /^services:\n([^]*?)(?=^\S|(?![^]))/m.exec(read(path)) ?? [];
  const parts = text.split(/^ {2}(\w[\w-]*):/m).slice(1);
  return Object.fromEntries(parts.flatMap((part, at) => (at % 2 === 0 ? [[part, parts[at + 1]]] : [])));
}

const production = servicesOf('docker-compose.yml');
const demo = servicesOf('docker/demo.yml');
const networksOf = (service) => /^ {4}networks: \[(.*)\]/m.exec(service)?.[1] ?? null;

test('the services are read', () => {
  expect(Object.keys(production)).toEqual([
    'secrets',
    'postgres',
    'redis',
    'migrate',
    'api',
    'proxy',
    'worker',
    'prometheus',
    'grafana',
  ]);
  expect(Object.keys(demo)).toEqual(['simulator', 'api', 'worker', 'demo', 'kurir']);
});

test('Postgres and Redis are reached from api and worker only, and the simulated network from neither', () => {
  expect(networksOf(production.postgres)).toBe('database');
  expect(networksOf(production.redis)).toBe('queue');
  expect(networksOf(production.migrate)).toBe('database');
  for (const name of ['api', 'worker']) expect(networksOf(production[name])).toBe('database, queue, outside');
  expect(networksOf(production.proxy)).toBe('outside');
  for (const name of ['prometheus', 'grafana']) {
    expect(networksOf(production[name])).toBe('outside');
    expect(production[name]).toContain('profiles: [observe]');
    expect(production[name]).toMatch(/ports: \["127\.0\.0\.1:/);
  }
  expect(production.secrets).toContain('network_mode: none');
  expect(networksOf(demo.simulator)).toBe('sandbox');
  expect(networksOf(demo.kurir)).toBe('outside');
  const networks = read('docker-compose.yml').split(/^networks:$/m)[1];
  for (const name of ['database', 'queue']) expect(networks).toContain(`  ${name}: { internal: true }`);
});

test('only programs that open secrets get the master key, and only the migrator gets the owner of the tables', () => {
  const withVolume = (volume) =>
    Object.entries({ ...demo, ...production })
      .filter(([, text]) => text.includes(`${volume}:`))
      .map(([name]) => name);
  expect(withVolume('keys').sort()).toEqual(['api', 'demo', 'secrets', 'worker']);
  expect(withVolume('database-owner').sort()).toEqual(['migrate', 'secrets']);
  expect(withVolume('redis-password').sort()).toEqual(['redis', 'secrets']);
  expect(withVolume('postgres-password').sort()).toEqual(['postgres', 'secrets']);
});

test('each container has limits and no privileges', () => {
  const common = read('docker-compose.yml').split(/^services:$/m)[0];
  for (const line of ['mem_limit:', 'pids_limit:', 'cap_drop: [ALL]', 'no-new-privileges:true', 'read_only: true']) {
    expect(common).toContain(line);
    expect(read('docker/demo.yml').split(/^services:$/m)[0]).toContain(line);
  }
  for (const [name, text] of Object.entries(production)) {
    const inherits = text.includes('<<: *kurir');
    expect([
      name,
      inherits || (/mem_limit/.test(text) && /pids_limit/.test(text) && text.includes('<<: *confined')),
    ]).toEqual([name, true]);
  }
  for (const name of ['simulator', 'demo', 'kurir']) expect(demo[name]).toContain('<<: *kurir');
});

test('without the demo there is no sandbox, no simulated network and no password in a log', () => {
  const text = read('docker-compose.yml');
  for (const word of ['KURIR_SANDBOX_PAYMENTS', 'KURIR_SIMULATOR_URL', 'make-demo', 'protected-mode no'])
    expect(text).not.toContain(word);
  expect(text).toContain('redis-server /kurir/redis.conf');
});

test('the demo offers the simulated network at a loopback address only', () => {
  expect(demo.api).toContain('KURIR_PUBLIC_URL: http://127.0.0.1:');
  expect(demo.simulator).toContain('ports: ["127.0.0.1:');
});

test('only the proxy and the pages of metrics are reached from outside, so that there may be several apis', () => {
  const publishing = Object.entries(production).filter(([, text]) => text.includes('    ports:'));
  expect(publishing.map(([name]) => name)).toEqual(['proxy', 'prometheus', 'grafana']);
  expect(production.api).toContain('scale: ${API_REPLICAS:-1}');
  expect(production.api).toContain('KURIR_TRUST_PROXY: ${KURIR_TRUST_PROXY:-1}');
});

test('Docker waits until an api has ended', () => {
  const number = (text, pattern) => Number(pattern.exec(text)[1]);
  const drain = number(production.api, /KURIR_DRAIN_SECONDS: (\d+)/);
  const stop = number(read('apps/api/src/main.ts'), /stopWithinMs = (\d+)_000/);
  expect(drain + stop).toBeLessThan(number(production.api, /stop_grace_period: (\d+)s/));
});

test('the image says which version it is', () => {
  const dockerfile = read('Dockerfile');
  expect(dockerfile).toContain(`\nARG VERSION=${JSON.parse(read('package.json')).version}\n`);
  for (const label of ['title', 'version', 'revision', 'licenses', 'source'])
    expect(dockerfile).toContain(`org.opencontainers.image.${label}=`);
});
