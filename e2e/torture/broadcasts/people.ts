/** The people of an attacked broadcast, and the messages that their phones show, from the journal of the network. */
import { createReadStream } from 'node:fs';
import { createInterface } from 'node:readline';

const firstNumber = 6_281_300_000_000;

export const phoneOf = (i: number): string => String(firstNumber + i);

export type ShownMessage = { readonly at: number; readonly recipient: string; readonly text: string };

type Entry = {
  readonly kind: string;
  readonly at: string;
  readonly recipient?: string;
  readonly text?: string;
  readonly repeat?: boolean;
};

export type NetworkSaw = {
  /** In the order of the network. Repeats are left out, because no phone shows them. */
  readonly shown: readonly ShownMessage[];
  /** The numbers that the network refused. */
  readonly refused: ReadonlySet<string>;
};

export async function readNetwork(journal: string): Promise<NetworkSaw> {
  const shown: ShownMessage[] = [];
  const refused = new Set<string>();
  for await (const line of createInterface({ input: createReadStream(journal) })) {
    if (!line.includes('"kind":"message"') && !line.includes('"kind":"refused"')) continue;
    const entry = JSON.parse(line) as Entry;
    if (entry.kind === 'refused') refused.add(entry.recipient ?? '');
    if (entry.kind === 'message' && entry.repeat !== true)
      shown.push({ at: Date.parse(entry.at), recipient: entry.recipient ?? '', text: entry.text ?? '' });
  }
  return { shown, refused };
}
