/** The mail about one notice, or about several of one kind: an outage of a network takes many devices away at once. */
import type { NoticeKind } from '@kurir/contracts';
import { type MemberRole, memberRoles } from '@kurir/contracts/dashboard';
import type { NoticeItem } from '@kurir/database';
import type { Claimed } from './claimed.js';
import type { Both, Letter } from '../mail/letter.js';
import { linkedLetter } from './linked-mail.js';
import { addressOf, momentOf, quoted } from '../mail/moments.js';
import { roleWords } from '../mail/role-words.js';
import { nextWhenAway, whyAway } from './reason-words.js';

/** A longer list helps nobody. The page shows all. */
const listMax = 20;

type Told = {
  /** The subject of the mail, by the name or number of the things. */
  readonly title: (what: Both) => Both;
  /** A sentence about one thing, which also stands in a list. */
  readonly sentence: (item: NoticeItem) => Both;
  readonly next: (item: NoticeItem) => Both;
};

const both = (indonesian: string, english: string): Both => [indonesian, english];
const nameOf = ({ name, subject }: NoticeItem): string =>
  subject.startsWith('whk_') ? addressOf(name, subject) : quoted(name, subject);

const untilOf = ({ until }: NoticeItem): Both => {
  if (until === null) return ['', ''];
  const [sampai, moment] = momentOf(until);
  return [` sampai ${sampai}`, ` until ${moment}`];
};

function disconnected(item: NoticeItem): Both {
  const [sejak, since] = momentOf(item.at);
  const why = whyAway(item.reason);
  return [
    `Perangkat ${nameOf(item)} tidak terhubung sejak ${sejak}${why === null ? '' : `: ${why[0]}`}.`,
    `The device ${nameOf(item)} has not been connected since ${since}${why === null ? '' : `: ${why[1]}`}.`,
  ];
}

function restricted(item: NoticeItem): Both {
  const [sampai, until] = untilOf(item);
  return [
    `Jaringan membatasi perangkat ${nameOf(item)}: tidak bisa menulis ke kontak baru${sampai}.`,
    `The network restricts the device ${nameOf(item)}: it may not write to new contacts${until}.`,
  ];
}

function banned(item: NoticeItem): Both {
  const [sampai, until] = untilOf(item);
  return item.reason === 'temporarily_banned'
    ? [
        `Jaringan memblokir akun perangkat ${nameOf(item)}${sampai}.`,
        `The network has banned the account of the device ${nameOf(item)}${until}.`,
      ]
    : [
        `Jaringan menutup akun perangkat ${nameOf(item)}.`,
        `The network has closed the account of the device ${nameOf(item)}.`,
      ];
}

function planEnds({ state, until, at }: NoticeItem): Both {
  const [kapan, moment] = momentOf(until ?? at);
  return [
    `Paket akun ini berakhir dalam ${state} hari, pada ${kapan}.`,
    `The plan of the account ends in ${state} ${state === '1' ? 'day' : 'days'}, on ${moment}.`,
  ];
}

const isRole = (state: string | null): state is MemberRole => memberRoles.some((role) => role === state);

function joined(item: NoticeItem): Both {
  const [peran, role] = isRole(item.state) ? roleWords[item.state].name : ['anggota', 'member'];
  return [
    `${nameOf(item)} menerima undangan dan sekarang menjadi ${peran}.`,
    `${nameOf(item)} accepted an invitation and now has the role ${role}.`,
  ];
}

const waitForContacts = both(
  'Pesan ke kontak baru menunggu sampai batas itu berakhir. Kurangi pesan ke orang yang belum mengenal nomor ini.',
  'Messages to new contacts wait until the limit ends. Write less to people who do not know the number.',
);
const renew = both(
  'Perpanjang di halaman Paket & tagihan: kuota baru langsung terbuka setelah pembayaran.',
  'Renew on the page Plan & billing: the new quota is open as soon as it is paid.',
);
const mendWebhook = both(
  'Perbaiki penerimanya. Event yang gagal bisa dikirim ulang.',
  'Mend the receiver. Events that failed can be replayed.',
);
/** Stands in a mail about devices that need different steps. */
const lookAtEach = both(
  'Buka halaman tiap perangkat: di sana tertulis apa yang perlu dilakukan.',
  'Open the page of each device: it says what to do.',
);
const always =
  <T>(value: T) =>
  (): T =>
    value;

/** The kinds that have a letter of their own: `linked-mail.ts`, `receipt-mail.ts`. */
type Own = 'device.linked' | 'renewal.paid';

const tellings: Record<Exclude<NoticeKind, Own>, Told> = {
  'device.disconnected': {
    title: ([apa, what]) => [`${apa} tidak terhubung`, `${what} not connected`],
    sentence: disconnected,
    next: ({ reason }) => nextWhenAway(reason),
  },
  'device.restricted': {
    title: ([apa, what]) => [`${apa} dibatasi jaringan`, `${what} restricted by the network`],
    sentence: restricted,
    next: always(waitForContacts),
  },
  'device.banned': {
    title: ([apa, what]) => [`${apa} diblokir jaringan`, `${what} banned by the network`],
    sentence: banned,
    next: ({ reason }) =>
      reason === 'temporarily_banned'
        ? nextWhenAway(reason)
        : both(
            'Aplikasi di ponselnya menyebut alasannya dan menerima banding. Tautkan lagi perangkat itu setelah akunnya pulih.',
            'The app on its phone says why, and accepts an appeal. Link the device again once the account is back.',
          ),
  },
  'quota.low': {
    title: always(both('Kuota terpakai 80%', '80% of the quota is used')),
    sentence: always(both('Akun ini sudah memakai 80% kuotanya.', 'The account has used 80% of its quota.')),
    next: always(renew),
  },
  'quota.exhausted': {
    title: always(both('Kuota habis', 'The quota is used up')),
    sentence: always(
      both(
        'Kuota akun ini habis. Pesan baru ditolak.',
        'The account has used its whole quota. New messages are refused.',
      ),
    ),
    next: always(renew),
  },
  'plan.expiring': {
    title: always(both('Paket segera berakhir', 'The plan ends soon')),
    sentence: planEnds,
    next: always(
      both(
        'Perpanjang di halaman Paket & tagihan. Harinya ditambahkan ke akhir paket yang sekarang.',
        'Renew on the page Plan & billing. The days are added to the end of the present plan.',
      ),
    ),
  },
  'member.joined': {
    title: ([apa, what]) => [`${apa} bergabung`, `${what} joined`],
    sentence: joined,
    next: always(
      both(
        'Halaman Anggota menunjukkan semua orang di akun ini. Di sana peran bisa diganti.',
        'The page Members shows everybody who uses the account. You can change roles there.',
      ),
    ),
  },
  'broadcast.finished': {
    title: ([apa, what]) => [`${apa} selesai`, `${what} finished`],
    sentence: (item) => [`Siaran ${nameOf(item)} sudah selesai.`, `The broadcast ${nameOf(item)} has finished.`],
    next: always(
      both('Halaman siaran menunjukkan hasil tiap penerima.', 'Its page shows the result for each recipient.'),
    ),
  },
  'webhook.failing': {
    title: ([apa, what]) => [`${apa} gagal`, `${what} failing`],
    sentence: (item) => [
      `Webhook ${nameOf(item)} gagal terus selama ${item.state} jam.`,
      `The webhook ${nameOf(item)} has only failed for ${item.state} ${item.state === '1' ? 'hour' : 'hours'}.`,
    ],
    next: always(mendWebhook),
  },
  'webhook.disabled': {
    title: ([apa, what]) => [`${apa} dimatikan`, `${what} switched off`],
    sentence: (item) => [
      `Webhook ${nameOf(item)} dimatikan: ${item.state === 'gone' ? 'penerimanya menjawab 410' : 'penerimanya terus gagal'}.`,
      `The webhook ${nameOf(item)} was switched off: its receiver ${item.state === 'gone' ? 'answered 410' : 'only failed'}.`,
    ],
    next: always(
      both(
        'Perbaiki penerimanya, lalu nyalakan lagi webhook itu. Pengiriman berlanjut dari tempatnya berhenti.',
        'Mend the receiver, then switch the webhook on again. Delivery goes on where it stopped.',
      ),
    ),
  },
};

type Room = 'device' | 'webhook' | 'quota' | 'plan' | 'member' | 'broadcast';

const pages: Record<Room, { readonly list: string; readonly label: Both; readonly words: Both }> = {
  device: { list: '/app/devices', label: ['Buka perangkat', 'Open the device'], words: ['perangkat', 'devices'] },
  webhook: { list: '/app/webhooks', label: ['Buka webhook', 'Open the webhook'], words: ['webhook', 'webhooks'] },
  member: { list: '/app/members', label: ['Buka anggota', 'Open the members'], words: ['orang', 'people'] },
  broadcast: { list: '/app/broadcasts', label: ['Buka siaran', 'Open the broadcast'], words: ['siaran', 'broadcasts'] },
  quota: { list: '/app/billing', label: ['Perpanjang', 'Renew'], words: ['', ''] },
  plan: { list: '/app/billing', label: ['Perpanjang', 'Renew'], words: ['', ''] },
};

// The part of a kind before the dot is one of the rooms.
const pageOf = (kind: NoticeKind) => pages[kind.slice(0, kind.indexOf('.')) as Room];

/** The page of the thing itself. Without a name it is gone, or it is the account. People have no page of their own. */
function pathOf(kind: NoticeKind, { name, subject }: NoticeItem): string {
  const { list } = pageOf(kind);
  return name === null || kind === 'member.joined' ? list : `${list}/${subject}`;
}

function inAccount({ accountName, accountId }: Claimed): Both {
  const account = quoted(accountName, accountId);
  return [`Akun: ${account}.`, `Account: ${account}.`];
}

function whyOf({ accountName, accountId }: Claimed): Both {
  const account = quoted(accountName, accountId);
  return [
    `Anda menerima email ini karena Anda anggota akun ${account}.`,
    `You get this email because you are a member of the account ${account}.`,
  ];
}

function oneLetter(claimed: Claimed, told: Told, publicUrl: string): Letter {
  const { kind, items } = claimed;
  const [item] = items;
  return {
    subject: told.title([nameOf(item), nameOf(item)]),
    paragraphs: [told.sentence(item), inAccount(claimed), told.next(item)],
    list: [],
    link: { url: publicUrl + pathOf(kind, item), label: pageOf(kind).label },
    why: whyOf(claimed),
    choicesUrl: `${publicUrl}/app/notices`,
  };
}

/** The step that all the things need. */
function nextOfAll(items: Claimed['items'], { next }: Told): Both {
  const first = next(items[0]);
  return items.every((item) => next(item)[0] === first[0]) ? first : lookAtEach;
}

function manyLetter(claimed: Claimed, told: Told, publicUrl: string): Letter {
  const { kind, items } = claimed;
  const { list, words, label } = pageOf(kind);
  const count = items.length;
  const rest = count - listMax;
  const counted = both(`${count} ${words[0]}`, `${count} ${words[1]}`);
  return {
    subject: told.title(counted),
    paragraphs: [inAccount(claimed), nextOfAll(items, told)],
    list: [
      ...items.slice(0, listMax).map(told.sentence),
      ...(rest > 0 ? [both(`dan ${rest} lagi`, `and ${rest} more`)] : []),
    ],
    link: { url: publicUrl + list, label },
    why: whyOf(claimed),
    choicesUrl: `${publicUrl}/app/notices`,
  };
}

export type ToldByLetter = Claimed & { readonly kind: Exclude<NoticeKind, 'renewal.paid'> };

export function noticeLetter(claimed: ToldByLetter, publicUrl: string): Letter {
  const { kind, items } = claimed;
  if (kind === 'device.linked') return linkedLetter(claimed, publicUrl);
  const told = tellings[kind];
  return items.length === 1 ? oneLetter(claimed, told, publicUrl) : manyLetter(claimed, told, publicUrl);
}
