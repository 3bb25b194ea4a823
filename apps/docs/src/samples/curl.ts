/** Samples for a shell: with the functions of `examples/kurir-curl.sh`, and with the command `kurir`. */
import { type Call, targetOf } from './call.js';
import { commands } from './commands.js';

/** A text as one word of a shell. */
export const shellWord = (text: string): string =>
  /^[\w./:@%+,=-]+$/.test(text) ? text : `'${text.replaceAll("'", `'\\''`)}'`;

const jsonOf = ({ body }: Call) => (body === null ? null : JSON.stringify(body));

export function curlSample(call: Call): string {
  const json = jsonOf(call);
  const words = [
    call.operation.method,
    shellWord(targetOf(call)),
    ...(json === null ? [] : [`'${json.replaceAll("'", `'\\''`)}'`]),
  ];
  return `. ./kurir-curl.sh\n\nkurir_curl ${words.join(' ')}`;
}

export function kurirSample(call: Call): string {
  const command = commands[call.operation.operationId];
  if (command !== undefined) return command;
  const json = jsonOf(call);
  const body = json === null ? '' : ` \\\n  --body '${json.replaceAll("'", `'\\''`)}'`;
  return `# The command has no word of its own for this. It signs the call and prints a line for curl.\nkurir sign ${call.operation.method} ${shellWord(targetOf(call))}${body}`;
}
