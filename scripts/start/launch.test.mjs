// Checks what `npm start` promises: it leaves no process behind, restarts a dying app, and respects ports.
import { spawn } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { freePort } from '../local/ports.mjs';
import { commandOf, pidIn } from '../local/processes.mjs';
import { until } from '../local/until.mjs';

const fixture = fileURLToPath(new URL('test/launch-fixture.mjs', import.meta.url));
const PROGRAMS = ['database', 'worker', 'api'];

let stateDir;
let launchers;

beforeEach(() => {
  stateDir = mkdtempSync(join(tmpdir(), 'kurir-launch-'));
  launchers = [];
});

afterEach(async () => {
  for (const launcher of launchers) launcher.kill('SIGTERM');
  await nothingLeft();
  rmSync(stateDir, { recursive: true, force: true });
});

/** Starts the launcher. `command` stands between this test and the launcher, as npm does. */
async function start({ env = {}, command = process.execPath, args = [fixture, stateDir] } = {}) {
  const ports = {
    api: await freePort(),
    worker: await freePort(),
    simulator: await freePort(),
    relay: await freePort(),
  };
  const child = spawn(command, args, {
    env: {
      ...process.env,
      NO_COLOR: '1',
      FIXTURE_PORTS: JSON.stringify(ports),
      PORT: '',
      npm_lifecycle_event: 'start',
      ...env,
    },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  launchers.push(child);
  const launcher = { child, ports, output: '', exit: new Promise((resolve) => child.once('exit', resolve)) };
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (text) => (launcher.output += text));
  return launcher;
}

const shown = (launcher, text) =>
  until(() => launcher.output.includes(text), { what: `"${text}"`, timeoutMs: 120_000 }).catch((error) => {
    throw new Error(`${error.message}. Instead:\n${launcher.output}`, { cause: error });
  });
const pidOf = (name) => pidIn(join(stateDir, `${name}.pid`));
const alive = () => PROGRAMS.filter((name) => pidOf(name) && commandOf(pidOf(name))?.includes(stateDir));
const nothingLeft = () => until(() => alive().length === 0, { what: 'end of all programs' });
const apiAnswers = async (port) => (await fetch(`http://127.0.0.1:${port}`)).ok;

describe('stopping', () => {
  test.each(['SIGINT', 'SIGTERM'])('%s ends everything and the launcher with 0', async (signal) => {
    const launcher = await start();
    await shown(launcher, 'Kurir is ready');
    expect(alive()).toEqual(PROGRAMS);
    launcher.child.kill(signal);
    expect(await launcher.exit).toBe(0);
    expect(alive()).toEqual([]);
  });

  test('a launcher that is killed leaves nothing behind', async () => {
    const launcher = await start();
    await shown(launcher, 'Kurir is ready');
    launcher.child.kill('SIGKILL');
    await nothingLeft();
  });

  test('TERM to npm ends everything, although npm does not pass it on', async () => {
    writeFileSync(
      join(stateDir, 'package.json'),
      JSON.stringify({ scripts: { start: `${JSON.stringify(process.execPath)} ${fixture} ${stateDir}` } }),
    );
    const npm = await start({ command: 'npm', args: ['start', '--prefix', stateDir] });
    await shown(npm, 'Kurir is ready');
    npm.child.kill('SIGTERM');
    await nothingLeft();
    const launcher = pidOf('launcher');
    await until(() => !commandOf(launcher), { what: 'end of the launcher' });
  });

  test('a launcher that is stopped during its start leaves nothing behind', async () => {
    const launcher = await start();
    await shown(launcher, 'database');
    launcher.child.kill('SIGTERM');
    expect(await launcher.exit).toBe(0);
    expect(alive()).toEqual([]);
  });
});

describe('with the pretend WhatsApp', () => {
  const withRelay = () => ({ args: [fixture, stateDir, '--whatsapp-relay'] });
  const whatsappLives = () => Boolean(commandOf(pidIn(join(stateDir, 'whatsapp.pid')))?.includes(stateDir));

  test('it runs, its address is in dev.json, the worker gets the address, and it ends with the others', async () => {
    const launcher = await start(withRelay());
    await shown(launcher, 'Kurir is ready');
    const url = `http://127.0.0.1:${launcher.ports.relay}`;
    expect(JSON.parse(readFileSync(join(stateDir, 'dev.json'), 'utf8'))).toMatchObject({
      whatsapp_relay_url: url,
      whatsapp_phones: ['49155'],
    });
    expect(launcher.output).toContain('npm run phone -- scan');
    expect(whatsappLives()).toBe(true);
    launcher.child.kill('SIGINT');
    expect(await launcher.exit).toBe(0);
    expect(whatsappLives()).toBe(false);
  });

  test('it is started again when it dies', async () => {
    const launcher = await start(withRelay());
    await shown(launcher, 'Kurir is ready');
    process.kill(pidIn(join(stateDir, 'whatsapp.pid')), 'SIGKILL');
    await shown(launcher, 'whatsapp is up again');
  });

  test('DATABASE_URL is refused, because that database may contain devices of the real one', async () => {
    const launcher = await start({ ...withRelay(), env: { DATABASE_URL: 'postgresql://somewhere' } });
    expect(await launcher.exit).toBe(1);
    expect(launcher.output).toContain('start it without DATABASE_URL');
    expect(alive()).toEqual([]);
  });

  test('without the flag it is neither started nor in dev.json', async () => {
    const launcher = await start();
    await shown(launcher, 'Kurir is ready');
    expect(whatsappLives()).toBe(false);
    expect(JSON.parse(readFileSync(join(stateDir, 'dev.json'), 'utf8'))).not.toHaveProperty('whatsapp_relay_url');
  });
});

test('an app that dies is started again, and the screen says so', async () => {
  const launcher = await start();
  await shown(launcher, 'Kurir is ready');
  const first = pidOf('worker');
  process.kill(first, 'SIGKILL');
  await shown(launcher, 'worker stopped (killed by SIGKILL)');
  await shown(launcher, 'worker is up again');
  expect(pidOf('worker')).not.toBe(first);
});

test('warnings of a program reach the screen, and other lines only its log file', async () => {
  const launcher = await start();
  await shown(launcher, 'Kurir is ready');
  expect(launcher.output).toContain('loud line: for a person');
  expect(launcher.output).not.toContain('quiet line');
  expect(readFileSync(join(stateDir, 'logs', 'worker.log'), 'utf8')).toContain('quiet line');
});

test('a second launcher in the same folder is refused', async () => {
  const first = await start();
  await shown(first, 'Kurir is ready');
  const second = await start();
  expect(await second.exit).toBe(1);
  expect(second.output).toContain(`already runs in this folder (pid ${first.child.pid}`);
  expect(alive()).toEqual(PROGRAMS);
});

describe('the port', () => {
  let blocker;
  let taken;

  beforeEach(async () => {
    blocker = createServer().listen(0, '127.0.0.1');
    await new Promise((resolve) => blocker.once('listening', resolve));
    taken = blocker.address().port;
  });
  afterEach(() => blocker.close());

  const baseUrl = () => JSON.parse(readFileSync(join(stateDir, 'dev.json'), 'utf8')).base_url;

  test('a taken default is replaced by a free port, and the screen says so', async () => {
    const ports = { api: taken, worker: await freePort(), simulator: await freePort() };
    const launcher = await start({ env: { FIXTURE_PORTS: JSON.stringify(ports) } });
    await shown(launcher, 'Kurir is ready');
    expect(launcher.output).toContain(`Port ${taken} is taken`);
    expect(await apiAnswers(new URL(baseUrl()).port)).toBe(true);
  });

  test.each(['worker', 'api'])('a port of the %s that is taken during the start is replaced', async (name) => {
    const launcher = await start({ env: { FIXTURE_TAKES: name } });
    await shown(launcher, 'Kurir is ready');
    expect(launcher.output).toContain('Another program has taken a port');
    expect(alive()).toEqual(PROGRAMS);
    const port = new URL(baseUrl()).port;
    expect(port === String(launcher.ports.api)).toBe(name === 'worker');
    expect((await fetch(`http://127.0.0.1:${port}`)).headers.get('x-kurir-instance')).toMatch(/^[0-9a-f]{16}$/);
    launcher.child.kill('SIGINT');
    expect(await launcher.exit).toBe(0);
    expect(alive()).toEqual([]);
  });

  test('a taken PORT is an error', async () => {
    const launcher = await start({ env: { PORT: String(taken) } });
    expect(await launcher.exit).toBe(1);
    expect(launcher.output).toContain(`PORT ${taken} cannot be used`);
  });

  test('a PORT that is no port is an error', async () => {
    const launcher = await start({ env: { PORT: '70000' } });
    expect(await launcher.exit).toBe(1);
    expect(launcher.output).toContain('not a port');
  });

  test('PORT is used, and 0 means any free port', async () => {
    const port = await freePort();
    const launcher = await start({ env: { PORT: String(port) } });
    await shown(launcher, 'Kurir is ready');
    expect(baseUrl()).toBe(`http://127.0.0.1:${port}`);
    // A browser allows passkeys at this name only.
    expect(launcher.output).toContain(`http://localhost:${port}/docs`);
    launcher.child.kill('SIGTERM');
    await launcher.exit;

    const any = await start({ env: { PORT: '0' } });
    await shown(any, 'Kurir is ready');
    expect(await apiAnswers(new URL(baseUrl()).port)).toBe(true);
  });
});

test('the secret in dev.json is kept if the key existed before', async () => {
  const path = join(stateDir, 'dev.json');
  writeFileSync(path, JSON.stringify({ api_key: 'key_1', api_secret: 'kept' }));
  const launcher = await start();
  await shown(launcher, 'Kurir is ready');
  expect(JSON.parse(readFileSync(path, 'utf8'))).toMatchObject({
    api_secret: 'kept',
    device_id: 'dev_1',
    phones: ['62811'],
  });
  const secrets = readFileSync(join(stateDir, 'secrets.json'), 'utf8');
  launcher.child.kill('SIGTERM');
  await launcher.exit;
  expect(launcher.output).not.toContain('kept');
  expect(launcher.output).not.toContain(JSON.parse(secrets).KURIR_MASTER_KEY);
});
