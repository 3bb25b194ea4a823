import type { Sample } from './samples.js';

export type Setting = {
  readonly baseUrl: string;
  readonly apiKey: string;
  readonly apiSecret: string;
  readonly deviceId: string;
};
export type TestMessage = { readonly recipient: string; readonly text: string };

/** As one word of a POSIX shell, whatever it holds. */
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

/** No line of a program may end the quotation early. */
const endMark = 'END_OF_PROGRAM';

/** What makes the whole thing work when it is pasted into a terminal. */
export function pasteable(sample: Sample, setting: Setting, message: TestMessage): string {
  const file = `cat > ${sample.file} <<'${endMark}'\n${sample.code.replace(/\n?$/, '\n')}${endMark}`;
  return `${settingLines(setting)}\n\n${file}\n\n${runLine(sample, message)}\n`;
}
