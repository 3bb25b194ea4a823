import { CommandError } from '../../terminal/command-error.js';
import type { OutputOptions, Admin } from '../../terminal/run-command.js';

export type EraseOptions = OutputOptions & { readonly yes?: boolean };

/** Shows what will go, and asks. With `--yes` it only shows it. Throws if the person does not agree. */
export async function confirmErasure(
  admin: Admin,
  counts: Readonly<Record<string, number>>,
  { yes = false }: EraseOptions,
): Promise<void> {
  const parts = Object.entries(counts).filter(([, count]) => count > 0);
  admin.say(`This erases: ${parts.map(([name, count]) => `${count} ${name.replaceAll('_', ' ')}`).join(', ')}.`);
  if (yes) return;
  const answer = await admin.ask('Nobody can undo this. Type yes to go on: ');
  if (answer === null) throw new CommandError('Confirm this in a terminal, or add --yes.');
  if (answer.trim() !== 'yes') throw new CommandError('Nothing was erased.');
}
