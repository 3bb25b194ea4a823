import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';
import { clientSample, commandSample } from './short-samples.js';
import { pasteable, runLine, settingLines, shellWord } from './pasteable.js';

const setting = { baseUrl: 'http://127.0.0.1:3000', apiKey: 'kk_test_1', apiSecret: 'ks_test_1', deviceId: 'dev_1' };
const message = { recipient: '6281234567890', text: `It's "5 o'clock" $HOME \`id\` \\ 🎉\nsecond line` };
const samples = [
  { name: 'curl', file: 'send.sh', command: ['bash', 'send.sh'] },
  { name: 'TypeScript', file: 'send.ts', command: ['npx', '-y', 'tsx', 'send.ts'] },
  { name: 'Python', file: 'send.py', command: ['python3', 'send.py'] },
  { name: 'PHP', file: 'send.php', command: ['php', 'send.php'] },
  { name: 'Go', file: 'send.go', command: ['go', 'run', 'send.go'] },
].map((sample) => ({
  ...sample,
  code: readFileSync(fileURLToPath(new URL(`../../../../../examples/${sample.file}`, import.meta.url)), 'utf8'),
}));

test('the page lists the examples of the repository with their file names and commands', () => {
  const source = readFileSync(fileURLToPath(new URL('./samples.ts', import.meta.url)), 'utf8');
  const readme = readFileSync(fileURLToPath(new URL('../../../../../examples/README.md', import.meta.url)), 'utf8');
  for (const { file, command } of samples) {
    expect(source).toContain(`from '#examples/${file}?raw'`);
    expect(source).toContain(`command: [${command.map((word) => `'${word}'`).join(', ')}]`);
    expect(readme).toContain(`\`${command.join(' ')} 6281234567890 'Kode Anda 493021'\``);
  }
});

test('a shell reads each quoted word as the original text', () => {
  const words = ['', 'plain', "it's", '$(id) `id` "x"', 'a\nb', '-n', '\\', '🎉'];
  const printed = execFileSync('bash', ['-c', `printf '%s\\0' ${words.map(shellWord).join(' ')}`], {
    encoding: 'utf8',
  });
  expect(printed.split('\0').slice(0, -1)).toEqual(words);
});

test.each(samples)(
  'the text to paste for $name writes the example byte for byte and runs it with settings and arguments',
  (sample) => {
    const folder = mkdtempSync(join(tmpdir(), 'kurir-paste-'));
    try {
      // A shell function replaces the program and prints its arguments and settings.
      const [program = ''] = sample.command;
      const spy = `${program}() { printf '%s\\0' ${program} "$@" "$KURIR_BASE_URL" "$KURIR_API_KEY" "$KURIR_API_SECRET" "$KURIR_DEVICE_ID"; }\n`;
      const shown = execFileSync('/bin/bash', ['-c', spy + pasteable(sample, setting, message)], {
        cwd: folder,
        encoding: 'utf8',
      });
      expect(shown.split('\0').slice(0, -1)).toEqual([
        ...sample.command,
        message.recipient,
        message.text,
        ...Object.values(setting),
      ]);
      expect(readFileSync(join(folder, sample.file), 'utf8')).toBe(sample.code);
    } finally {
      rmSync(folder, { recursive: true, force: true });
    }
  },
);

test('the client needs four lines, and takes any text', () => {
  const code = clientSample(setting, message);
  expect(code.split('\n').length).toBeLessThan(15);
  const [, sent = ''] = /message: (".*"),$/m.exec(code) ?? [];
  expect(JSON.parse(sent)).toBe(message.text);
  expect(code).not.toMatch(/priority|clientRef/);
});

test('a shell passes number and text to the command', () => {
  const shown = execFileSync('/bin/bash', ['-c', `npx() { printf '%s\\0' "$@"; }\n${commandSample(message)}`], {
    encoding: 'utf8',
  });
  expect(shown.split('\0').slice(0, -1)).toEqual(['kurir', 'send', message.recipient, message.text, '--wait']);
});

test('client and command have the fields that somebody filled in, and no others', () => {
  const more = { priority: 'otp', ttl_seconds: 90, client_ref: "it's 1", category: undefined } as const;
  const code = clientSample(setting, message, more);
  expect(code).toMatch(/\n {2}priority: "otp",\n {2}ttlSeconds: 90,\n {2}clientRef: "it's 1",\n\}\);/);
  const options = `--priority otp --ttl 90s --client-ref 'it'\\''s 1' --wait`;
  expect(commandSample(message, more)).toContain(options);
  expect(commandSample(message, { priority: 'normal', client_ref: '' })).not.toContain('--client-ref');
});

test('curl, which signs in many lines, comes last', () => {
  const source = readFileSync(fileURLToPath(new URL('./samples.ts', import.meta.url)), 'utf8');
  const names = [...source.matchAll(/name: '(\w+)'/g)].map(([, name]) => name);
  expect(names.at(-1)).toBe('curl');
});

test('the text to paste contains the settings and the command that the page shows', () => {
  const [sample] = samples;
  if (sample === undefined) throw new Error('there is no sample');
  const pasted = pasteable(sample, setting, message);
  expect(pasted).toContain(settingLines(setting));
  expect(pasted.endsWith(`${runLine(sample, message)}\n`)).toBe(true);
});
