// The commands of a pretend phone. Each command returns the text to print.
import { PhoneError, UsageError } from './phone-error.mjs';

export const HELP = `Usage: npm run phone -- <command>

Uses the phones of the pretend WhatsApp of "npm start -- --whatsapp-relay". The first use of a number makes its phone.

  scan [code] [--phone <number>]   scan the QR code that a device shows now, or the given text of a QR code
  type [code] [--phone <number>]   type the pairing code that a device shows now, or the given one
  list                             list the phones and their linked devices
  unlink <number> <device>         unlink a device, as in the settings of the phone
  inbox <number>                   show the messages that a phone with a person received and decrypted
  typing <number>                  show the typing signals that a phone saw
  read <number> <message id>       tell the sender that the message was read
  write <number> <to> <text>       write a message
  limit <number> <minutes>         let WhatsApp forbid the number to write to strangers for this time; 0 ends it`;

const defaultPhone = '4915559000001';

export const COMMANDS = {
  scan: (relay, args) => use(relay, args, 'scan', (code) => code.includes(',')),
  type: (relay, args) => use(relay, args, 'pair', (code) => !code.includes(',')),
  list,
  unlink: async ({ ask }, args) => {
    const [number, device] = need(args, 'number', 'device');
    await ask(`/phones/${number}/unlink`, { device: Number(device) });
    return `Device ${device} is off the phone ${number}.`;
  },
  inbox,
  typing: async ({ ask }, args) => {
    const { signals } = await ask(`/phones/${need(args, 'number')[0]}/typing`);
    return lines(signals.map(({ from, state }) => `${from}  ${state}`));
  },
  read: async ({ ask }, args) => {
    const [number, id] = need(args, 'number', 'message id');
    await ask(`/phones/${number}/read`, { id });
    return `${id} is read.`;
  },
  write: async ({ ask }, args) => {
    const [number, to, text] = need(args, 'number', 'to', 'text');
    return `Sent as ${(await ask(`/phones/${number}/send`, { to, text })).id}.`;
  },
  limit: async ({ ask }, args) => {
    const [number, minutes] = need(args, 'number', 'minutes');
    const until = Number(minutes) > 0 ? new Date(Date.now() + Number(minutes) * 60_000).toISOString() : null;
    await ask(`/phones/${number}/timelock`, { until });
    return until ? `${number} may write to no stranger until ${until}.` : `${number} may write to anybody.`;
  },
};

async function use(relay, args, verb, isFor) {
  const { number, given } = phoneAndCode(args);
  const { code, device } = given ? { code: given, device: 'The device' } : await findCode(relay, isFor);
  const linked = await relay.ask(`/phones/${number}/${verb}`, { code });
  return `${device} is linked to the phone ${number} (as its device ${linked.id}).`;
}

function phoneAndCode(args) {
  const at = args.indexOf('--phone');
  const number = at < 0 ? defaultPhone : (args[at + 1] ?? '');
  if (!/^\d{5,20}$/.test(number)) throw new UsageError('--phone needs a number: digits with country code.');
  const [given] = args.filter((_, i) => at < 0 || (i !== at && i !== at + 1));
  return { number, given };
}

async function findCode({ shownCodes }, isFor) {
  const codes = (await shownCodes()).filter(({ code }) => isFor(code));
  if (codes.length === 1) return codes[0];
  if (codes.length > 1) throw new PhoneError('Several devices show a code. Give the text of the one you mean.');
  throw new PhoneError('No device shows such a code just now. First: npx kurir device link --device <device_id>');
}

async function list({ ask }) {
  const { phones } = await ask('/phones');
  return lines(
    phones.map(({ number, recipient, devices }) => {
      const linked = devices.map(({ id, connected }) => `device ${id} ${connected ? 'connected' : 'offline'}`);
      return [number, ...(recipient ? ['with a person, reads and answers'] : []), ...linked].join('  ');
    }),
  );
}

async function inbox({ ask }, args) {
  const { messages } = await ask(`/phones/${need(args, 'number')[0]}/inbox`);
  return lines(messages.map(({ id, from, text, receivedAt }) => `${receivedAt}  ${from}  ${id}\n  ${text}`));
}

function need(args, ...names) {
  if (args.length === names.length) return args;
  throw new UsageError(`This command needs: ${names.join(', ')}.`);
}

const lines = (texts) => (texts.length === 0 ? 'Nothing yet.' : texts.join('\n'));
