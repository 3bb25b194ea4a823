import { getBinaryNodeChild, type BinaryNode, proto } from 'baileys';
import { expect, it } from 'vitest';
import { createRelay, type Phone, type Relay } from '../index.js';
import { Companion, Credentials } from '../../test/companion.js';

async function propsOfLink(relay: Relay, phone: Phone): Promise<proto.ClientPairingProps | string | null> {
  const companion = new Companion(relay, new Credentials());
  const paired = new Promise<BinaryNode>((resolve) => {
    companion.socket.ws.on('CB:iq,,pair-success', resolve);
  });
  await phone.scan(await companion.qr());
  const props = getBinaryNodeChild(getBinaryNodeChild(await paired, 'pair-success'), 'client-props')?.content;
  await companion.close();
  if (!(props instanceof Uint8Array)) return null;
  try {
    return proto.ClientPairingProps.decode(props);
  } catch {
    return 'damaged';
  }
}

it('tells a companion whether the account writes by LID, and omits or damages that on request', async () => {
  const relay = await createRelay();
  const phone = await relay.createPhone('4915600000001');
  expect(await propsOfLink(relay, phone)).toMatchObject({ isChatDbLidMigrated: true });
  phone.setMigrated(false);
  expect(await propsOfLink(relay, phone)).toMatchObject({ isChatDbLidMigrated: false });
  relay.faults.pairings({ kind: 'client-props', as: 'missing' }, { from: phone.number });
  expect(await propsOfLink(relay, phone)).toBeNull();
  relay.faults.pairings({ kind: 'client-props', as: 'damaged' });
  expect(await propsOfLink(relay, phone)).toBe('damaged');
  await relay.close();
});
