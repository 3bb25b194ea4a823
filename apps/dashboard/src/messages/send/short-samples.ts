/** The shortest ways to send: the client in a program, and its command. The secret stays in the environment. */
import { type Setting, shellWord, type TestMessage } from './pasteable.js';

const quoted = (text: string) => JSON.stringify(text);

export const clientSample = ({ baseUrl, apiKey, deviceId }: Setting, { recipient, text }: TestMessage): string =>
  [
    `import { createClient } from '@kurir/client';`,
    `const kurir = createClient({ baseUrl: ${quoted(baseUrl)}, apiKey: ${quoted(apiKey)}, apiSecret: process.env.KURIR_API_SECRET ?? '', deviceId: ${quoted(deviceId)} });`,
    `const { jobId } = await kurir.sendMessage({ phoneDestination: ${quoted(recipient)}, message: ${quoted(text)} });`,
    `console.log(await kurir.waitForJob(jobId));`,
  ].join('\n');

export const commandSample = ({ recipient, text }: TestMessage): string =>
  ['npx', 'kurir', 'send', recipient, text, '--wait'].map(shellWord).join(' ');
