import { EventEmitter } from 'node:events';
import type { BinaryNode, WASocket } from 'baileys';
import { describe, expect, test } from 'vitest';
import { type CodeOnShow, onLinkNotifications } from './link-notifications.js';

const REFERENCE = Buffer.from('reference');
const WRAPPED_KEY = Buffer.alloc(80);
const IDENTITY = Buffer.alloc(32);

function start(isUsed = true) {
  const heard: string[] = [];
  const acknowledged: BinaryNode[] = [];
  const ws = new EventEmitter();
  ws.on('CB:notification', () => void heard.push('baileys'));
  const code: CodeOnShow = {
    registrationRefreshed: () => void heard.push('registration refreshed'),
    refreshed: (_reference, isManual) => void heard.push(isManual ? 'refreshed by hand' : 'refreshed'),
    used: () => isUsed,
    refused: () => void heard.push('refused'),
  };
  const sendNode = async (node: BinaryNode) => void acknowledged.push(node);
  // The code uses only these two parts of a socket.
  onLinkNotifications({ ws, sendNode } as unknown as WASocket, code, () => void heard.push('passkey'));
  const receive = (type: string | undefined, content?: BinaryNode['content']): void => {
    const attrs = { id: '1', from: 's.whatsapp.net', ...(type === undefined ? {} : { type }) };
    ws.emit('CB:notification', { tag: 'notification', attrs, ...(content === undefined ? {} : { content }) });
  };
  return { heard, acknowledged, receive };
}

const leaf = (tag: string, content: string | Uint8Array): BinaryNode => ({ tag, attrs: {}, content });

function registration(stage: string, ...content: BinaryNode[]): BinaryNode[] {
  return [{ tag: 'link_code_companion_reg', attrs: { stage }, content }];
}

const reference = leaf('link_code_pairing_ref', REFERENCE);
const wrappedKey = leaf('link_code_pairing_wrapped_primary_ephemeral_pub', WRAPPED_KEY);
const identity = leaf('primary_identity_pub', IDENTITY);

describe('an invalid notification', () => {
  const rubbish: readonly (readonly [what: string, type: string | undefined, content?: BinaryNode['content']])[] = [
    ['no type', undefined],
    ['a type that nobody knows', 'weather', [leaf('rain', Buffer.from('much'))]],
    ['a refresh of the registration without its mark', 'companion_reg_refresh'],
    ['no registration', 'link_code_companion_reg'],
    ['text instead of a registration', 'link_code_companion_reg', 'text'],
    ['an unknown stage', 'link_code_companion_reg', registration('later', reference)],
    ['a refreshed code without a reference', 'link_code_companion_reg', registration('refresh_code')],
    [
      'a refreshed code with a text for reference',
      'link_code_companion_reg',
      registration('refresh_code', leaf('link_code_pairing_ref', 'ref')),
    ],
    ['a use without a reference', 'link_code_companion_reg', registration('primary_hello', wrappedKey, identity)],
    ['a use without the keys', 'link_code_companion_reg', registration('primary_hello', reference)],
    [
      'a use with a short key',
      'link_code_companion_reg',
      registration('primary_hello', reference, identity, leaf(wrappedKey.tag, Buffer.alloc(79))),
    ],
    ['a use of another type', 'server_sync', registration('primary_hello', reference, wrappedKey, identity)],
  ];
  for (const [what, type, content] of rubbish) {
    test(`${what} is acknowledged, and nothing follows`, () => {
      const { heard, acknowledged, receive } = start();
      receive(type, content);
      expect(heard).toEqual([]);
      const attrs = { id: '1', to: 's.whatsapp.net', class: 'notification', ...(type === undefined ? {} : { type }) };
      expect(acknowledged).toEqual([{ tag: 'ack', attrs }]);
    });
  }
});

test('Baileys answers and acknowledges a use that counts; a use that does not count is only acknowledged', () => {
  const hello = registration('primary_hello', reference, wrappedKey, identity);
  const counting = start(true);
  counting.receive('link_code_companion_reg', hello);
  expect([counting.heard, counting.acknowledged.length]).toEqual([['baileys'], 0]);
  const idle = start(false);
  idle.receive('link_code_companion_reg', hello);
  expect([idle.heard, idle.acknowledged.length]).toEqual([[], 1]);
});

test('both forms of a refreshed registration are recognized', () => {
  const { heard, receive } = start();
  receive('companion_reg_refresh', [{ tag: 'companion_reg_refresh', attrs: {} }]);
  receive('companion_reg_refresh', [{ tag: 'pair-device-rotate-qr', attrs: {} }]);
  expect(heard).toEqual(['registration refreshed', 'registration refreshed']);
});
