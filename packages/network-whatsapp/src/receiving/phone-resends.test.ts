import { type BinaryNode, proto, type WAMessage } from 'baileys';
import { expect, test } from 'vitest';
import { PhoneResends } from './phone-resends.js';

const ID = '3EB0A';
const expected: BinaryNode = {
  tag: 'message',
  attrs: { id: ID, from: '7@lid', sender_pn: '62812@s.whatsapp.net', t: '5' },
};

function answerWith(...infos: readonly (proto.IWebMessageInfo | Uint8Array)[]): WAMessage {
  const peerDataOperationResult = infos.map((info) => ({
    placeholderMessageResendResponse: {
      webMessageInfoBytes: info instanceof Uint8Array ? info : proto.WebMessageInfo.encode(info).finish(),
    },
  }));
  const peerDataOperationRequestResponseMessage = { peerDataOperationResult };
  return { key: { fromMe: true }, message: { protocolMessage: { peerDataOperationRequestResponseMessage } } };
}

const info = (key: proto.IMessageKey): proto.IWebMessageInfo => ({
  key: { id: ID, ...key },
  message: { conversation: 'Iklan' },
  messageTimestamp: 7,
  pushName: 'Budi',
});

test('a message that was expected has its own stanza', () => {
  const resends = new PhoneResends();
  resends.expect(expected);
  const [resent] = resends.in(answerWith(info({ remoteJid: '7@lid' })));
  expect(resent).toMatchObject({ stanza: expected, message: { message: { conversation: 'Iklan' } } });
});

test('after a restart, and for another person with the same id, the stanza is made of what the phone tells', () => {
  const resends = new PhoneResends();
  const made = { tag: 'message', attrs: { id: ID, from: '8@lid', t: '7', notify: 'Budi' } };
  expect(resends.in(answerWith(info({ remoteJid: '8@lid' })))).toMatchObject([{ stanza: made }]);
  resends.expect(expected);
  expect(resends.in(answerWith(info({ remoteJid: '8@lid' })))[0]?.stanza).toEqual(made);
  const inGroup = info({ remoteJid: '12@g.us', participant: '8@lid' });
  expect(resends.in(answerWith(inGroup))[0]?.stanza.attrs).toMatchObject({ from: '12@g.us', participant: '8@lid' });
});

test('the own message of the owner, a message without a content and rubbish are no resends', () => {
  const resends = new PhoneResends();
  const { message: _content, ...empty } = info({ remoteJid: '8@lid' });
  const answer = answerWith(info({ remoteJid: '8@lid', fromMe: true }), empty, Buffer.from('0aff01', 'hex'));
  expect(resends.in(answer)).toEqual([]);
  expect(resends.in({ key: {}, message: { conversation: 'Halo' } })).toEqual([]);
});
