/** The shortest ways to send: the client in a program, and its command. The secret stays in the environment. */
import type { SendBody } from './more-fields.js';
import { type Setting, shellWord, type TestMessage } from './pasteable.js';

/** The fields that most messages do not need, as the form has them. */
export type MoreOfMessage = Partial<Pick<SendBody, 'priority' | 'category' | 'ttl_seconds' | 'send_at' | 'client_ref'>>;

type Given = readonly (readonly [field: string, option: string, value: string | number])[];

/** The fields that somebody filled in, with their names in the client and in the command. */
function givenOf({ priority, category, ttl_seconds: ttl, send_at: sendAt, client_ref: clientRef }: MoreOfMessage) {
  const all = [
    ['priority', '--priority', priority === 'normal' ? undefined : priority],
    ['category', '--category', category],
    ['ttlSeconds', '--ttl', ttl],
    ['sendAt', '--send-at', sendAt],
    ['clientRef', '--client-ref', clientRef],
  ] as const;
  return all.filter(([, , value]) => value !== undefined && value !== null && value !== '') as Given;
}

const quoted = (value: string | number) => JSON.stringify(value);

export const clientSample = (
  { baseUrl, apiKey, deviceId }: Setting,
  { recipient, text }: TestMessage,
  more: MoreOfMessage = {},
): string =>
  [
    `import { createClient } from '@kurir/client';`,
    'const kurir = createClient({',
    `  baseUrl: ${quoted(baseUrl)},`,
    `  apiKey: ${quoted(apiKey)},`,
    `  apiSecret: process.env.KURIR_API_SECRET ?? '',`,
    `  deviceId: ${quoted(deviceId)},`,
    '});',
    'const { jobId } = await kurir.sendMessage({',
    `  phoneDestination: ${quoted(recipient)},`,
    `  message: ${quoted(text)},`,
    ...givenOf(more).map(([field, , value]) => `  ${field}: ${quoted(value)},`),
    '});',
    `console.log(await kurir.waitForJob(jobId));`,
  ].join('\n');

export const commandSample = ({ recipient, text }: TestMessage, more: MoreOfMessage = {}): string => {
  const options = givenOf(more).flatMap(([field, option, value]) => [
    option,
    field === 'ttlSeconds' ? `${value}s` : String(value),
  ]);
  return ['npx', 'kurir', 'send', recipient, text, ...options, '--wait'].map(shellWord).join(' ');
};
