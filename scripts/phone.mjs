// `npm run phone -- <command>`: uses the phones of the pretend WhatsApp of `npm start -- --whatsapp-relay`.
import { COMMANDS, HELP } from './phone/commands.mjs';
import { PhoneError, UsageError } from './phone/phone-error.mjs';
import { findRelay } from './phone/relay.mjs';

async function main([name, ...args]) {
  if (name === undefined || name === '--help' || name === '-h' || name === 'help') return HELP;
  const command = COMMANDS[name];
  if (!command) throw new UsageError(`There is no command "${name}".`);
  return command(findRelay(), args);
}

try {
  console.log(await main(process.argv.slice(2)));
} catch (error) {
  if (!(error instanceof PhoneError)) throw error;
  console.error(error instanceof UsageError ? `${error.message}\n\n${HELP}` : error.message);
  process.exitCode = error instanceof UsageError ? 2 : 1;
}
