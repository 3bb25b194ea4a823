/**
 * Finds the address of the gateway and the key: in the KURIR_* variables, or else in `.kurir/dev.json` of this folder
 * or a folder above it. `npm start` writes that file. Only this file of the package reads the environment. A secret is
 * never an argument, because every user of the machine can read arguments.
 */
import { readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { KurirUsageError } from '../../calls/errors.js';

export type Settings = {
  readonly baseUrl: string;
  readonly apiKey: string;
  readonly apiSecret: string;
  readonly deviceId: string | null;
};

export type Environment = Readonly<Record<string, string | undefined>>;

const required = ['KURIR_BASE_URL', 'KURIR_API_KEY', 'KURIR_API_SECRET'] as const;

/** Throws a KurirUsageError that says what to do. KURIR_DEVICE_ID alone only chooses another device. */
export function readSettings(folder: string, environment: Environment = process.env): Settings {
  const deviceId = environment['KURIR_DEVICE_ID'] || null;
  const missing = required.filter((name) => !environment[name]);
  if (missing.length === required.length) {
    const settings = readDevFile(folder);
    return { ...settings, deviceId: deviceId ?? settings.deviceId };
  }
  if (missing.length > 0)
    throw new KurirUsageError(`Set ${missing.join(' and ')} too: ${required.join(', ')} belong together.`);
  const [baseUrl = '', apiKey = '', apiSecret = ''] = required.map((name) => environment[name]);
  return { baseUrl, apiKey, apiSecret, deviceId };
}

/** The secret that signs what `kurir listen` sends. Null: none is set. */
export const readWebhookSecret = (environment: Environment = process.env): string | null =>
  environment['KURIR_WEBHOOK_SECRET'] || null;

export type BridgeSecrets = {
  /** Signs what `kurir bridge` sends to the bot. */
  readonly secret: string | null;
  /** The key that the bot must send. */
  readonly key: string | null;
};

export const readBridgeSecrets = (environment: Environment = process.env): BridgeSecrets => ({
  secret: environment['KURIR_BRIDGE_SECRET'] || null,
  key: environment['KURIR_BRIDGE_KEY'] || null,
});

function readDevFile(folder: string): Settings {
  const file = join(folder, '.kurir', 'dev.json');
  const text = readIfThere(file);
  if (text !== null) return parseDevFile(file, text);
  if (dirname(folder) !== folder) return readDevFile(dirname(folder));
  throw new KurirUsageError(
    `No gateway is known here. Run "npm start" in the Kurir project and use kurir inside its folder, or set ${required.join(', ')} and KURIR_DEVICE_ID.`,
  );
}

function readIfThere(file: string): string | null {
  try {
    return readFileSync(file, 'utf8');
  } catch (error) {
    if (error instanceof Error && 'code' in error && (error.code === 'ENOENT' || error.code === 'ENOTDIR')) return null;
    throw new KurirUsageError(`${file} cannot be read.`, { cause: error });
  }
}

function parseDevFile(file: string, text: string): Settings {
  const fields = parseFields(file, text);
  const field = (name: string) => {
    const value = fields[name];
    if (typeof value === 'string' && value !== '') return value;
    throw new KurirUsageError(`${file} has no ${name}. "npm start" in the Kurir project writes it.`);
  };
  const deviceId = typeof fields['device_id'] === 'string' ? fields['device_id'] : null;
  const [baseUrl, apiKey, apiSecret] = [field('base_url'), field('api_key'), field('api_secret')];
  return { baseUrl, apiKey, apiSecret, deviceId };
}

function parseFields(file: string, text: string): Record<string, unknown> {
  try {
    const value: unknown = JSON.parse(text);
    return { ...Object(value) };
  } catch {
    // The message of the parser quotes the file, and so the secret.
    throw new KurirUsageError(`${file} is not JSON. "npm start" in the Kurir project writes it anew.`);
  }
}
