/** Tests of the words of the notices' mails: both languages, text and HTML, one thing or many. */
import { type Language, type NoticeKind, noticeKindNames } from '@kurir/contracts';
import type { NoticeItem } from '@kurir/database';
import { expect, test } from 'vitest';
import { letterAbout, noticeItem, url } from '../../test/letters.js';
import { letterMail } from '../mail/letter.js';

const deviceId = noticeItem().subject;
const item = noticeItem;

const mailIn = (language: Language, kind: NoticeKind, ...items: [NoticeItem, ...NoticeItem[]]) =>
  letterMail({ email: 'x@example.com', language }, letterAbout(kind, ...items));
const mailOf = (...given: [NoticeKind, NoticeItem, ...NoticeItem[]]) => mailIn('en', ...given);

test.each(noticeKindNames)('the mail about %s says what happened, with the account, a link and the choice', (kind) => {
  const { text, html } = mailOf(kind, item({ state: '7', until: new Date('2026-12-02T05:00:00Z') }));
  for (const part of [text, html]) expect(part).toContain(`${url}/app/`);
  expect(html).toContain('PT &lt;Nusa&gt;');
  expect(text).toContain('"PT <Nusa>"');
  expect(html.includes('/app/notices')).toBe(kind !== 'device.linked');
});

test('a device that is away has since when, why and what to do', () => {
  const away = item({ reason: 'logged_out' });
  const { text, subject } = mailOf('device.disconnected', away);
  for (const part of [
    'The device "Kasir" has not been connected since 25 November 2026 at 05:00 UTC: its link was ended from the phone.',
    'Link the device again',
    `${url}/app/devices/${deviceId}`,
  ])
    expect(text).toContain(part);
  expect(subject).toBe('"Kasir" not connected');
  const indonesian = mailIn('id', 'device.disconnected', away);
  expect(indonesian.subject).toBe('"Kasir" tidak terhubung');
  for (const part of [
    'Perangkat "Kasir" tidak terhubung sejak 25 November 2026 pukul 12.00 WIB: tautannya dicabut dari ponsel.',
    'Tautkan lagi perangkat itu',
  ])
    expect(indonesian.text).toContain(part);
});

test('many devices stand in one mail, with the first twenty and the number of the others', () => {
  const items = Array.from({ length: 999 }, (_, n) => item({ name: `Toko ${n + 1}` }));
  const { text, html, subject } = mailOf('device.disconnected', item(), ...items);
  expect(subject).toBe('1000 devices not connected');
  expect(text).toContain('- The device "Toko 19"');
  expect(text).not.toContain('"Toko 20"');
  expect(text).toContain('- and 980 more');
  expect(html).toContain('<li>and 980 more</li>');
  expect(text).toContain(`${url}/app/devices\n`);
});

test('devices that need different steps share a sentence that is right for all, others have their own', () => {
  const away = (reason: string) => item({ reason });
  const apart = mailOf(
    'device.disconnected',
    away('connection_lost'),
    away('connection_lost'),
    away('logged_out'),
  ).text;
  expect(apart).toContain('Open the page of each device: it says what to do.');
  expect(apart).not.toMatch(/Kurir goes on trying|Link the device again/);
  const alike = mailOf('device.disconnected', away('connection_lost'), away('network_unavailable')).text;
  expect(alike).toContain('Kurir goes on trying');
  expect(alike).not.toContain('Open the page of each device');
  const banned = mailOf('device.banned', away('banned'), away('temporarily_banned')).text;
  expect(banned).toContain('Open the page of each device');
  expect(mailOf('device.banned', away('banned'), away('banned')).text).toContain('accepts an appeal');
});

test.each<[string, NoticeKind, Partial<NoticeItem>]>([
  ['devices/dev_1', 'device.banned', { subject: 'dev_1' }],
  ['devices', 'device.banned', { subject: 'dev_1', name: null }],
  ['webhooks/whk_1', 'webhook.disabled', { subject: 'whk_1', name: 'https://hooks.example/x' }],
  ['webhooks', 'webhook.disabled', { subject: 'whk_1', name: null }],
  ['billing', 'quota.low', { subject: 'acc_1', name: null }],
])('the link goes to /app/%s, about %s %j', (path, kind, fields) => {
  expect(mailOf(kind, item(fields)).text).toContain(`\n${url}/app/${path}\n`);
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
