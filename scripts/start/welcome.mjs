// The screen at the end of `npm start`: the addresses, and commands to paste.
export function welcome(dev, { paint, seconds }) {
  const [phone = '6281234567890'] = dev.phones ?? [];
  const row = (name, value, remark = '') =>
    `  ${name.padEnd(10)} ${paint('cyan', value)}${remark && paint('dim', `  ${remark}`)}`;
  const paste = (text, ...lines) => [`  ${text}`, ...lines.map((line) => `    ${paint('bold', line)}`)].join('\n');
  return [
    '',
    `  ${paint(['bold', 'green'], 'Kurir is ready')}${paint('dim', ` after ${seconds} s`)}`,
    '',
    ...(dev.sign_in_email
      ? [row('Dashboard', dev.dashboard_url, `${dev.sign_in_email} / ${dev.sign_in_password}`)]
      : []),
    row('API', dev.base_url),
    row('Docs', dev.docs_url),
    row('Key', dev.api_key, dev.api_secret ? 'secret: .kurir/dev.json' : ''),
    row('Device', dev.device_id, 'linked to the simulated network'),
    ...(dev.whatsapp_relay_url ? [row('WhatsApp', dev.whatsapp_relay_url, 'a pretend one: its phones')] : []),
    '',
    paste(
      'Send a message (in another terminal, in this folder):',
      `npx kurir send ${phone} "Your code is 493021" --wait`,
    ),
    paste('Look at the phone:', `curl ${dev.simulator_url}/phones/${phone}/inbox`),
    '',
    ...(dev.whatsapp_relay_url ? [relaySteps(dev, paste), ''] : []),
    paint('dim', '  Logs: .kurir/logs/   Stop: ^C'),
    '',
  ].join('\n');
}

/**
 * Shows all steps to an encrypted text. The commands are those for the real WhatsApp, but the phone is a command too.
 */
function relaySteps({ whatsapp_phones: [friend] }, paste) {
  return [
    paste(
      'Link a WhatsApp device; it shows a QR and waits:',
      'npx kurir device create Shop',
      'npx kurir device link --device <device_id>',
    ),
    paste('Point a pretend phone at that QR (in a third terminal):', 'npm run phone -- scan'),
    paste(
      'Write through it, and see what was decrypted:',
      `npx kurir send ${friend} "Hello" --device <device_id> --wait`,
      `npm run phone -- inbox ${friend}`,
    ),
  ].join('\n');
}

export const SECRET_LOST =
  'The secret of the demo key is not in .kurir/dev.json any more and cannot be shown again. ' +
  'Make another key with "npm run admin", or begin anew with "npm start -- --reset".';
