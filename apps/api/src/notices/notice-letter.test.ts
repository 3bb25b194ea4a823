/** Tests of the words of the mails: both languages, text and HTML, one thing or many. */
import { type AccountId, type NoticeKind, noticeKindNames } from '@kurir/contracts';
import type { NoticeItem } from '@kurir/database';
import { expect, test } from 'vitest';
import { letterMail } from '../mail/letter.js';
import { noticeLetter } from './notice-letter.js';

const deviceId = 'dev_01kajp4m3s5y8zt0v6qk2c9hbe';
const url = 'https://kurir.test';

const item = (fields: Partial<NoticeItem> = {}): NoticeItem => ({
  id: 1n,
  subject: deviceId,
  name: 'Kasir',
  state: null,
  reason: null,
  until: null,
  at: new Date('2026-11-25T05:00:00Z'),
  number: null,
  numberEnds: '7890',
  actor: 'admin',
  actorName: null,
  ...fields,
});

function mailOf(kind: NoticeKind, ...items: [NoticeItem, ...NoticeItem[]]) {
  const accountId = 'acc_01kajp4m3s5y8zt0v6qk2c9hbe' as AccountId;
  const claimed = {
    kind,
    accountId,
    accountName: 'Toko <Maju>',
    recipient: 'x@example.com',
    isLast: false,
    over: [],
    items,
  };
  return letterMail('x@example.com', noticeLetter(claimed, url));
}

const wholeItem = item({ state: '7', until: new Date('2026-12-02T05:00:00Z') });

test.each(noticeKindNames)('the mail about %s says what happened in both languages, with a link', (kind) => {
  const { text, html = '', subject } = mailOf(kind, wholeItem);
  expect(subject).toContain(' · ');
  for (const part of [text, html]) {
    expect(part).toContain(`${url}/app/`);
    expect(part).not.toMatch(/undefined|null|\[object/);
  }
  expect(html).toContain('lang="en"');
  expect(html).toContain('Toko &lt;Maju&gt;');
  expect(text).toContain('"Toko <Maju>"');
  expect(html.includes('/app/notices')).toBe(kind !== 'device.linked');
});

test('a device that is away has since when, why and what to do', () => {
  const { text, subject } = mailOf('device.disconnected', item({ reason: 'logged_out' }));
  for (const part of [
    'Perangkat "Kasir" tidak terhubung sejak 25 November 2026 pukul 12.00 WIB: tautannya dicabut dari ponsel.',
    'The device "Kasir" has not been connected since 25 November 2026 at 05:00 UTC: its link was ended from the phone.',
    'Tautkan lagi perangkat itu',
    'Link the device again',
    `${url}/app/devices/${deviceId}`,
  ])
    expect(text).toContain(part);
  expect(subject).toBe('"Kasir" tidak terhubung · "Kasir" not connected');
});

test('many devices stand in one mail, with the first twenty and the number of the others', () => {
  const items = Array.from({ length: 999 }, (_, n) => item({ name: `Toko ${n + 1}` }));
  const { text, html = '', subject } = mailOf('device.disconnected', item(), ...items);
  expect(subject).toBe('1000 perangkat tidak terhubung · 1000 devices not connected');
  expect(text).toContain('- Perangkat "Toko 19"');
  expect(text).not.toContain('"Toko 20"');
  expect(text).toContain('- dan 980 lagi');
  expect(html).toContain('<li>and 980 more</li>');
  expect(text).toContain(`${url}/app/devices\n`);
});

test('a webhook has its address without the query, and no mail program makes a link of it', () => {
  const hook = item({ subject: 'whk_1', name: 'https://hooks.toko.example/kurir?token=rahasia', state: 'gone' });
  const { text } = mailOf('webhook.disabled', hook);
  expect(text).toContain('The webhook "hooks. toko. example/kurir" was switched off: its receiver answered 410.');
  expect(text).not.toContain('rahasia');
  expect(mailOf('webhook.failing', item({ subject: 'whk_1', name: null, state: '1' })).text).toContain('whk_1');
});

test('a name with an address, an unknown reason and a device that is gone still make a mail', () => {
  const { text } = mailOf('device.disconnected', item({ name: 'www.evil.example', reason: 'of_a_later_version' }));
  expect(text).not.toContain('evil');
  expect(text).toContain(deviceId);
  expect(mailOf('device.banned', item({ name: null })).text).toContain(deviceId);
});
