/** The built program, as people run it. The other tests of this folder check the output of the commands. */
import { execFile, spawnSync } from 'node:child_process';
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { apiKey, apiSecret, exampleJob, type Gateway, refusal, startGateway } from '../../test/gateway-fixture.js';
import { environmentFor, runProgram, startProgram } from '../../test/kurir-fixture.js';

const noCurl = spawnSync('curl', ['--version']).error !== undefined || process.platform === 'win32';

let gateway: Gateway;
let folder: string;

beforeEach(async () => {
  gateway = await startGateway();
  folder = await mkdtemp(join(tmpdir(), 'kurir-program-'));
});
afterEach(async () => {
  await gateway.close();
  await rm(folder, { recursive: true });
});

async function writeDevFile(baseUrl: string): Promise<void> {
  const content = { base_url: baseUrl, api_key: apiKey, api_secret: apiSecret, device_id: 'dev_1' };
  await mkdir(join(folder, '.kurir'));
  await writeFile(join(folder, '.kurir', 'dev.json'), JSON.stringify(content));
}

describe('the program', () => {
  it('sends with the settings of npm start', async () => {
    await writeDevFile(gateway.baseUrl);
    await expect(runProgram(['send', '6281234567890', 'Halo'], {}, folder)).resolves.toEqual({
      code: 0,
      stdout: 'accepted  msg_1\n',
      stderr: '',
    });
  });

  it('ends with 0 and pure JSON', async () => {
    const { code, stdout, stderr } = await runProgram(['account', '--json'], environmentFor(gateway.baseUrl), folder);
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
    expect(JSON.parse(stdout)).toMatchObject({ plan: 'Starter', days_left: 12 });
  });

  it('ends with 1 when the gateway refuses', async () => {
    gateway.fail(refusal('DEVICE_NOT_CONNECTED'));
    await expect(runProgram(['device'], environmentFor(gateway.baseUrl), folder)).resolves.toMatchObject({ code: 1 });
  });

  it('ends with 2 when it finds no settings, and says what to do', async () => {
    const { code, stdout, stderr } = await runProgram(['account'], {}, folder);
    expect({ code, stdout }).toEqual({ code: 2, stdout: '' });
    expect(stderr).toContain('Run "npm start" in the Kurir project');
    expect(stderr).toContain('KURIR_BASE_URL');
  });

  it('ends with 3 when the gateway does not run', async () => {
    const { baseUrl } = gateway;
    await gateway.close();
    const { code, stderr } = await runProgram(['account'], environmentFor(baseUrl), folder);
    const json = await runProgram(['account', '--json'], environmentFor(baseUrl), folder);
    gateway = await startGateway();
    expect({ code, stderr }).toEqual({ code: 3, stderr: expect.stringContaining('Is the gateway running?') });
    expect(JSON.parse(json.stderr)).toMatchObject({ code: 'GATEWAY_NOT_REACHABLE', exit_code: 3 });
  });

  it('ends with 4 when the job did not reach the wanted status', async () => {
    gateway.answer({ getMessage: () => exampleJob({ status: 'unknown', reason: 'no_answer' }) });
    const args = ['status', 'msg_1', '--wait'];
    await expect(runProgram(args, environmentFor(gateway.baseUrl), folder)).resolves.toMatchObject({ code: 4 });
  });

  it.skipIf(process.platform === 'win32')('listens until Ctrl+C, and ends with 0', async () => {
    const page = { events: [], next_cursor: 'a', has_more: false };
    gateway.answer({ listEvents: () => page });
    const running = startProgram(
      ['listen', '--forward-to', 'http://127.0.0.1:1/'],
      environmentFor(gateway.baseUrl),
      folder,
    );
    await vi.waitFor(() => expect(gateway.received.length).toBeGreaterThan(1), { timeout: 30_000 });
    running.interrupt();
    await expect(running.ended).resolves.toEqual({
      code: 0,
      stdout: expect.stringMatching(/^Signing with whsec_\S+\n$/),
      stderr: expect.stringContaining('To continue from here, add --after a'),
    });
  });

  it('never shows the secret, whatever fails', async () => {
    await writeDevFile(gateway.baseUrl);
    gateway.fail(refusal('INVALID_SIGNATURE'), { status: 200, text: 'no JSON' });
    const commands = [
      ['account'],
      ['plan'],
      ['sign', 'GET', '/api/v1/account/info'],
      ['send'],
      ['--help'],
      ['list', '--secret', 'x'],
    ];
    const ran = await Promise.all(commands.map((args) => runProgram(args, {}, folder)));
    for (const { stdout, stderr } of ran) expect(stdout + stderr).not.toContain(apiSecret);
  });

  it.skipIf(noCurl)('prints a curl line that a shell can run', async () => {
    const body = `{"message":"it's 5 o'clock","phone_destination":"6281234567890"}`;
    const args = ['sign', 'POST', '/api/v1/messages/send', '--body', body];
    const { stdout } = await runProgram(args, environmentFor(gateway.baseUrl), folder);
    const curl = stdout.trimEnd().split('\n').at(-1) ?? '';
    const answer = await promisify(execFile)('sh', ['-c', curl]);
    expect(JSON.parse(answer.stdout)).toMatchObject({ success: true, data: { job_id: 'msg_1' } });
    expect(gateway.accepted[0]?.body).toBe(body);
  });

  it.skipIf(noCurl)('prints a curl line that keeps an unusual target and the bytes of a file', async () => {
    await writeFile(join(folder, "it's.json"), '{}\n');
    const args = ['sign', 'POST', '/api/v1/messages/send?a[]={b}&c=/../', '--body', "@it's.json"];
    const { stdout } = await runProgram(args, environmentFor(gateway.baseUrl), folder);
    await promisify(execFile)('sh', ['-c', stdout.trimEnd().split('\n').at(-1) ?? ''], { cwd: folder });
    expect(gateway.accepted[0]).toMatchObject({ target: '/api/v1/messages/send?a[]={b}&c=/../', body: '{}\n' });
  });

  it('has no option for a secret', async () => {
    const { stdout } = await runProgram(['--help'], {}, folder);
    expect(stdout).not.toMatch(/--[a-z-]*(secret|key)/);
  });
});
