import type { Sample } from './samples.js';

export type Setting = {
  readonly baseUrl: string;
  readonly apiKey: string;
  readonly apiSecret: string;
  readonly deviceId: string;
};
export type TestMessage = { readonly recipient: string; readonly text: string };

/** Quotes any text as one word of a POSIX shell. */
export const shellWord = (text: string): string =>
  /^[\w./:@%+=-]+$/.test(text) ? text : `'${text.replaceAll("'", `'\\''`)}'`;

export const settingLines = ({ baseUrl, apiKey, apiSecret, deviceId }: Setting): string =>
  [
    ['KURIR_BASE_URL', baseUrl],
    ['KURIR_API_KEY', apiKey],
    ['KURIR_API_SECRET', apiSecret],
    ['KURIR_DEVICE_ID', deviceId],
  ]
    .map(([name, value = '']) => `export ${name}=${shellWord(value)}`)
    .join('\n');

export const runLine = (sample: Sample, { recipient, text }: TestMessage): string =>
  [...sample.command, recipient, text].map(shellWord).join(' ');

/** Ends the here-document. No line of a sample may be equal to it. */
const endMark = 'END_OF_PROGRAM';

/** The text to paste into a terminal: it sets the settings, writes the file and runs it. */
export function pasteable(sample: Sample, setting: Setting, message: TestMessage): string {
  const file = `cat > ${sample.file} <<'${endMark}'\n${sample.code.replace(/\n?$/, '\n')}${endMark}`;
  return `${settingLines(setting)}\n\n${file}\n\n${runLine(sample, message)}\n`;
}
