import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { readSettings } from './read-settings.js';

const devFile = {
  base_url: 'http://127.0.0.1:3000',
  docs_url: 'http://127.0.0.1:3000/docs',
  api_key: 'kk_test_dev',
  api_secret: 'ks_test_dev',
  account_id: 'acc_1',
  device_id: 'dev_1',
  simulator_url: 'http://127.0.0.1:4010',
  phones: ['6281234567890'],
};

let folder: string;

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'kurir-settings-'));
  await mkdir(join(folder, '.kurir'));
  await mkdir(join(folder, 'deep', 'er'), { recursive: true });
});
afterEach(() => rm(folder, { recursive: true }));

function writeDevFile(text: string): Promise<void> {
  return writeFile(join(folder, '.kurir', 'dev.json'), text);
}

const three = {
  KURIR_BASE_URL: 'https://gateway.example.com',
  KURIR_API_KEY: 'kk_live_1',
  KURIR_API_SECRET: 'ks_live_1',
};

describe('settings', () => {
  it('come from the dev file of a folder above', async () => {
    await writeDevFile(JSON.stringify(devFile));
    expect(readSettings(join(folder, 'deep', 'er'), {})).toEqual({
      baseUrl: 'http://127.0.0.1:3000',
      apiKey: 'kk_test_dev',
      apiSecret: 'ks_test_dev',
      deviceId: 'dev_1',
    });
  });

  it('come only from the environment when they stand there', async () => {
    await writeDevFile(JSON.stringify(devFile));
    expect(readSettings(folder, three)).toMatchObject({ apiKey: 'kk_live_1', deviceId: null });
  });

  it('of one gateway are never mixed with the key of another gateway', async () => {
    await writeDevFile(JSON.stringify(devFile));
    expect(() => readSettings(folder, { KURIR_API_KEY: 'kk_live_1' })).toThrow(
      'Set KURIR_BASE_URL and KURIR_API_SECRET too',
    );
  });

  it('from the file may be used with another device', async () => {
    await writeDevFile(JSON.stringify(devFile));
    expect(readSettings(folder, { KURIR_DEVICE_ID: 'dev_2' })).toMatchObject({
      apiKey: 'kk_test_dev',
      deviceId: 'dev_2',
    });
  });

  it('that are missing are explained', () => {
    expect(() => readSettings(folder, {})).toThrow(/"npm start".*KURIR_BASE_URL, KURIR_API_KEY, KURIR_API_SECRET/);
  });

  it('without the secret lead to an error that names the file', async () => {
    await writeDevFile(JSON.stringify({ ...devFile, api_secret: null }));
    expect(() => readSettings(folder, {})).toThrow(/dev\.json has no api_secret/);
  });

  it('that are broken are not quoted in the error', async () => {
    await writeDevFile('{"api_secret": "ks_test_dev", oops');
    expect(() => readSettings(folder, {})).toThrow(/dev\.json is not JSON/);
    expect(() => readSettings(folder, {})).not.toThrow(/ks_test_dev/);
  });
});
