/** The mail to an owner after a device was linked with a number. First in Indonesian, then in English. */
import { isDisplayName } from '@kurir/contracts';
import type { ClaimedNotice } from '@kurir/database';
import type { Mail } from '../mail/mailer.js';
import { withoutLink } from '../mail/mails.js';

type Linked = Omit<ClaimedNotice, 'id' | 'kind' | 'recipient' | 'isLast'>;

/** Members choose these names. A name with an address would put a link into a mail of ours, so the id stands for it. */
const quoted = (name: string | null, id: string): string =>
  name !== null && isDisplayName(name) ? `"${withoutLink(name)}"` : id;

function askers({ actor, actorName }: Linked): readonly [indonesian: string, english: string] {
  if (actor === 'admin') return ['operator gateway ini', 'an operator of this gateway'];
  if (actor === 'unknown') return ['seseorang yang tidak tercatat', 'somebody who was not recorded'];
  const name = quoted(actorName, actor);
  return actor.startsWith('kk_')
    ? [`program dengan kunci API ${name}`, `a program with the API key ${name}`]
    : [name, name];
}

const format = (language: string, timeZone: string, zone: string, at: Date): string =>
  `${new Intl.DateTimeFormat(language, { dateStyle: 'long', timeStyle: 'short', timeZone }).format(at)} ${zone}`;

export function linkedMail(recipient: string, linked: Linked, publicUrl: string): Mail {
  const { accountName, accountId, deviceId, deviceName, number, numberEnds, at } = linked;
  const [device, account] = [quoted(deviceName, deviceId), quoted(accountName, accountId)];
  const shown = number ?? `***${numberEnds}`;
  const [mereka, they] = askers(linked);
  const text = `Perangkat ${device} di akun ${account} kini tertaut dengan nomor ${shown}.
Waktu: ${format('id-ID', 'Asia/Jakarta', 'WIB', at)}. Diminta oleh: ${mereka}.
Jika ini bukan Anda atau rekan Anda: putuskan perangkat itu, cabut kunci yang tidak Anda kenal, lalu periksa anggota akun dan log audit.

The device ${device} of the account ${account} is now linked with the number ${shown}.
Time: ${format('en-GB', 'UTC', 'UTC', at)}. Asked for by: ${they}.
If it was neither you nor a colleague: unlink the device, revoke the keys that you do not know, then look at the members and the audit log.

${publicUrl}/app/devices/${deviceId}

Kurir
`;
  return { recipient, subject: 'Nomor tertaut di Kurir · A number was linked on Kurir', text };
}
