/** The program behind `npm run admin -- <command>`. */
import { createInterface } from 'node:readline/promises';
import { runAdmin } from './admin/run-admin.js';

async function ask(question: string): Promise<string | null> {
  if (!process.stdin.isTTY) return null;
  const lines = createInterface({ input: process.stdin, output: process.stderr });
  try {
    return await lines.question(question);
  } finally {
    lines.close();
  }
}

process.exitCode = await runAdmin(process.argv.slice(2), {
  print: (text) => console.log(text),
  say: (text) => console.error(text),
  ask,
});
