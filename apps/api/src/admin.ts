/** `npm run admin -- <command>`: accounts, plans, keys and devices from the command line. */
import { runAdmin } from './admin/run-admin.js';

process.exitCode = await runAdmin(process.argv.slice(2), {
  print: (text) => console.log(text),
  say: (text) => console.error(text),
});
