/** The program behind `npm run admin -- <command>`. */
import { runAdmin } from './admin/run-admin.js';

process.exitCode = await runAdmin(process.argv.slice(2), {
  print: (text) => console.log(text),
  say: (text) => console.error(text),
});
