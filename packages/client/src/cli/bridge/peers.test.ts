/** How each peer shows events. The forms are those of the peers' documentations. */
import { describe, expect, it } from 'vitest';
import { type ReceivedData, receivedEvent } from '../../../test/feed-fixture.js';
import { exampleEvent } from '../../../test/gateway-fixture.js';
import { toCamelCase } from '../../contract/wire-case.js';
import { cloud } from './cloud.js';
import { evolution } from './evolution.js';
import type { KurirEvent } from '../../contract/call-types.js';
import type { Peer, Recall } from './peer.js';
import { waha } from './waha.js';

const peers = { waha, evolution, cloud };
const nobody: Recall = () => null;
const setup = { name: 'toko', secret: 'apikey', key: null, url: 'http://127.0.0.1:3001' };
// The tests make events of the contract.
const camel = (event: object) => toCamelCase(event) as KurirEvent;
const show = (peer: Peer, event: object, recall = nobody) =>
  JSON.parse(JSON.stringify(peer.render(camel(event), setup, recall)));
const status = (type: 'message.sent' | 'message.failed' | 'message.accepted' | 'message.read') =>
  exampleEvent({ sequence: 2, type });
const media = { mime_type: 'image/jpeg', size: 9, file_name: 'a.jpg', sha256: 'ab', seconds: 3, width: 1, height: 1 };
const kinds: (Pick<ReceivedData, 'type' | 'text'> & Partial<ReceivedData>)[] = [
  ...(['image', 'video', 'audio', 'voice', 'document', 'sticker'] as const).map((type) => ({
    type,
    text: 'caption',
    media,
  })),
  {
    type: 'location',
    text: null,
    location: { latitude: -6.1, longitude: 106.8, name: 'Monas', address: null, live: false },
  },
  { type: 'contacts', text: null, contacts: [{ name: 'Budi', phones: ['62811'] }] },
  { type: 'poll', text: null, poll: { question: 'Which?', options: ['a', 'b'], choices: 1 } },
  { type: 'unsupported', text: null, raw_type: 'orderMessage' },
];

describe('WAHA', () => {
  it('shows a text', () => {
    expect(show(waha, receivedEvent({ text: 'Halo' }))).toMatchObject({
      event: 'message',
      session: 'toko',
      timestamp: 1_795_251_600_000,
      payload: {
        id: 'false_6281234567890@c.us_inb_1',
        timestamp: 1_795_251_600,
        from: '6281234567890@c.us',
        fromMe: false,
        body: 'Halo',
        hasMedia: false,
        replyTo: null,
        _data: { notifyName: 'Budi' },
      },
    });
  });

  it('shows groups with their writer, answers, and what the owner wrote', () => {
    const group = receivedEvent({
      chat: { id: 'cnv_9', type: 'group' },
      reply_to: { message_id: null, job_id: 'msg_7', text: 'Ya?' },
    });
    expect(show(waha, group).payload).toMatchObject({
      from: 'cnv_9@g.us',
      participant: '6281234567890@c.us',
      replyTo: { id: 'msg_7', body: 'Ya?' },
    });
    const { data, ...event } = receivedEvent();
    const own = { ...event, type: 'message.sent_elsewhere', data: { ...data, to: data.from } };
    expect(show(waha, own)).toMatchObject({
      event: 'message.any',
      payload: { fromMe: true, from: '6281234567890@c.us' },
    });
  });

  it('shows media without a file, as WAHA does when it fetched none', () => {
    expect(show(waha, receivedEvent(kinds[0])).payload).toMatchObject({ hasMedia: true, media: null, body: 'caption' });
  });

  it('shows acks and states', () => {
    expect(show(waha, status('message.sent'))).toMatchObject({
      event: 'message.ack',
      payload: { id: 'true_6281234567890@c.us_msg_1', ack: 1, ackName: 'SERVER', fromMe: true },
    });
    expect(show(waha, status('message.read')).payload).toMatchObject({ ack: 3, ackName: 'READ' });
    expect(show(waha, status('message.failed')).payload).toMatchObject({ ack: -1, ackName: 'ERROR' });
    const state = {
      ...status('message.sent'),
      type: 'device.state_changed',
      subject: { type: 'device', id: 'dev_1' },
      data: { state: 'connected', reason: null, until: null },
    };
    expect(show(waha, state)).toMatchObject({ event: 'session.status', payload: { status: 'WORKING' } });
  });

  it('signs as its documentation shows', () => {
    const body = '{"event":"message","session":"default","engine":"WEBJS"}';
    expect(waha.sign(body, camel(receivedEvent()), 'my-secret-key', 1)).toMatchObject({
      'x-webhook-hmac':
        '208f8a55dde9e05519e898b10b89bf0d0b3b0fdf11fdbf09b6b90476301b98d8097c462b2b17a6ce93b6b47a136cf2e78a33a63f6752c2c1631777076153fa89',
      'x-webhook-hmac-algorithm': 'sha512',
    });
  });
});

describe('Evolution API', () => {
  it('shows a text, an answer, a group and a file', () => {
    expect(show(evolution, receivedEvent({ text: 'Halo' }))).toMatchObject({
      event: 'messages.upsert',
      instance: 'toko',
      apikey: 'apikey',
      server_url: 'http://127.0.0.1:3001',
      data: {
        key: { remoteJid: '6281234567890@s.whatsapp.net', fromMe: false, id: 'inb_1' },
        pushName: 'Budi',
        messageType: 'conversation',
        message: { conversation: 'Halo' },
        messageTimestamp: 1_795_251_600,
      },
    });
    const answer = receivedEvent({ reply_to: { message_id: 'inb_0', job_id: null, text: 'Ya?' } });
    expect(show(evolution, answer).data.message.extendedTextMessage.contextInfo.stanzaId).toBe('inb_0');
    const group = receivedEvent({ chat: { id: 'cnv_9', type: 'group' }, from: { phone: null } });
    expect(show(evolution, group).data.key).toMatchObject({ remoteJid: 'cnv_9@g.us', participant: '2515@lid' });
    expect(show(evolution, receivedEvent(kinds[0])).data).toMatchObject({
      messageType: 'imageMessage',
      message: { imageMessage: { caption: 'caption', mimetype: 'image/jpeg' } },
    });
  });

  it('shows statuses', () => {
    expect(show(evolution, status('message.read'))).toMatchObject({
      event: 'messages.update',
      data: { keyId: 'msg_1', remoteJid: '6281234567890@s.whatsapp.net', fromMe: true, status: 'READ' },
    });
  });
});

describe('the Cloud API', () => {
  const valueOf = (event: object, recall?: Recall) => show(cloud, event, recall).entry[0].changes[0].value;

  it('shows a text and an answer', () => {
    expect(
      valueOf(receivedEvent({ text: 'Halo', reply_to: { message_id: 'inb_0', job_id: null, text: null } })),
    ).toEqual({
      messaging_product: 'whatsapp',
      metadata: { display_phone_number: 'toko', phone_number_id: 'toko' },
      contacts: [{ profile: { name: 'Budi' }, wa_id: '6281234567890', user_id: 'lid:2515' }],
      messages: [
        {
          from: '6281234567890',
          id: 'wamid.inb_1',
          timestamp: '1795251600',
          type: 'text',
          text: { body: 'Halo' },
          context: { id: 'wamid.inb_0' },
        },
      ],
    });
  });

  it('shows what it does not know as unsupported', () => {
    expect(valueOf(receivedEvent({ type: 'poll', text: null })).messages[0]).toMatchObject({
      type: 'unsupported',
      errors: [{ code: 131_051 }],
    });
  });

  it('shows statuses, and why a message failed', () => {
    expect(valueOf(status('message.sent')).statuses).toEqual([
      { id: 'wamid.msg_1', status: 'sent', timestamp: '1795251600', recipient_id: '6281234567890' },
    ]);
    expect(valueOf(status('message.failed')).statuses[0]).toMatchObject({
      status: 'failed',
      errors: [{ code: 131_000 }],
    });
  });
});

describe.each(Object.entries(peers))('%s', (_name, peer) => {
  it.each(kinds)('shows $type', (kind) => {
    const shown = show(peer, receivedEvent(kind));
    expect(shown).not.toBeNull();
    if (kind.text !== null && kind.type !== 'audio') expect(JSON.stringify(shown)).toContain('caption');
  });

  it('has nothing for events that it does not know', () => {
    expect(show(peer, status('message.accepted'))).toBeNull();
    const quota = { ...status('message.sent'), type: 'quota.low', subject: { type: 'account', id: 'acc_1' }, data: {} };
    expect(show(peer, quota)).toBeNull();
  });

  it.each([
    ['lid:2515', '2515@lid', 'lid:2515'],
    ['sim:9z', 'sim:9z@lid', 'sim:9z'],
  ])('shows the status of a message to the hidden number of %s under its id', (id, address, cloudId) => {
    const { data, ...event } = status('message.read');
    const shown = JSON.stringify(show(peer, { ...event, data: { ...data, phone_destination: id } }));
    expect(shown).toContain(`"${peer === cloud ? cloudId : address}"`);
    expect(shown).not.toContain(`${id}@${peer === waha ? 'c.us' : 's.whatsapp.net'}`);
  });

  it('shows the status of a message to nobody only while it knows the chat', () => {
    const event = { ...status('message.read'), data: { ...status('message.read').data, phone_destination: null } };
    expect(show(peer, event)).toBeNull();
    const shown = show(peer, event, () => ({ conversationId: 'cnv_1', isGroup: false }));
    expect(JSON.stringify(shown)).toContain('cnv_1');
  });
});
