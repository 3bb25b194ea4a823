import { type BinaryNode, initAuthCreds, proto } from 'baileys';
import { expect, test } from 'vitest';
import { addressingRow, readPairing, refusalOfIdentity } from './pair-success.js';

function pairSuccess(...content: BinaryNode[]): BinaryNode {
  return { tag: 'iq', attrs: { id: '7', type: 'set' }, content: [{ tag: 'pair-success', attrs: {}, content }] };
}

const node = (tag: string, content?: BinaryNode['content']): BinaryNode => ({
  tag,
  attrs: {},
  ...(content === undefined ? {} : { content }),
});

test('a missing, invalid or unsigned identity is refused', () => {
  const unsigned = proto.ADVSignedDeviceIdentityHMAC.encode({ details: Buffer.alloc(40) }).finish();
  for (const identity of [undefined, 'text', Buffer.alloc(0), Buffer.alloc(600, 0xff), unsigned]) {
    const stanza = pairSuccess(node('device-identity', identity), node('device'));
    expect(readPairing(stanza, initAuthCreds())).toBeNull();
  }
  expect(readPairing(pairSuccess(), initAuthCreds())).toBeNull();
  expect(readPairing({ tag: 'iq', attrs: {} }, initAuthCreds())).toBeNull();
});

test('the refusal names the stanza that it answers', () => {
  expect(refusalOfIdentity(pairSuccess())).toMatchObject({ attrs: { id: '7', type: 'error', to: '@s.whatsapp.net' } });
});

test('the statement of the phone about LIDs becomes a row; without a statement the row is deleted', () => {
  const rowOf = (...content: BinaryNode[]): unknown => {
    const { kind, id, value } = addressingRow(pairSuccess(...content));
    expect([kind, id]).toEqual(['account', 'addressing']);
    return value === null ? null : JSON.parse(Buffer.from(value).toString());
  };
  const props = (said: proto.IClientPairingProps) =>
    node('client-props', proto.ClientPairingProps.encode(said).finish());
  expect(rowOf(props({ isChatDbLidMigrated: true }))).toEqual({ lidMigrated: true });
  expect(rowOf(props({ isChatDbLidMigrated: false }))).toEqual({ lidMigrated: false });
  // Official clients read an absent field like this.
  expect(rowOf(props({ isSyncdPureLidSession: true }))).toEqual({ lidMigrated: false });
  for (const content of [undefined, 'text', Buffer.from([0xff])])
    expect(rowOf(node('client-props', content))).toBeNull();
  expect(rowOf()).toBeNull();
});
