/** The mail to an owner after a device was linked with a number. */
import type { NoticeItem } from '@kurir/database';
import type { Claimed } from './claimed.js';
import type { Both, Letter } from '../mail/letter.js';
import { momentOf, quoted } from '../mail/moments.js';

function askers({ actor, actorName }: NoticeItem): Both {
  if (actor === 'admin') return ['operator gateway ini', 'an operator of this gateway'];
  if (actor === 'unknown') return ['seseorang yang tidak tercatat', 'somebody who was not recorded'];
  const name = quoted(actorName, actor);
  return actor.startsWith('kk_')
    ? [`program dengan kunci API ${name}`, `a program with the API key ${name}`]
    : [name, name];
}

export function linkedLetter({ accountName, accountId, items }: Claimed, publicUrl: string): Letter {
  const [item] = items;
  const { subject, name, number, numberEnds, at } = item;
  const [device, account] = [quoted(name, subject), quoted(accountName, accountId)];
  const shown = number ?? `***${numberEnds}`;
  const [mereka, they] = askers(item);
  const [waktu, time] = momentOf(at);
  return {
    subject: ['Nomor tertaut di Kurir', 'A number was linked on Kurir'],
    paragraphs: [
      [
        `Perangkat ${device} di akun ${account} kini tertaut dengan nomor ${shown}.`,
        `The device ${device} of the account ${account} is now linked with the number ${shown}.`,
      ],
      [`Waktu: ${waktu}. Diminta oleh: ${mereka}.`, `Time: ${time}. Asked for by: ${they}.`],
      [
        'Jika ini bukan Anda atau rekan Anda: putuskan perangkat itu, cabut kunci yang tidak Anda kenal, lalu periksa anggota akun dan log audit.',
        'If it was neither you nor a colleague: unlink the device, revoke the keys that you do not know, then look at the members and the audit log.',
      ],
    ],
    list: [],
    link: { url: `${publicUrl}/app/devices/${subject}`, label: ['Buka perangkat', 'Open the device'] },
    why: [
      `Anda menerima email ini karena Anda pemilik akun ${account}. Email keamanan selalu dikirim.`,
      `You get this email because you are an owner of the account ${account}. Emails about security always come.`,
    ],
    choicesUrl: null,
  };
}
