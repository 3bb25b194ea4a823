/**
 * zapo-js 0.3.0 leaves out who it is when it encrypts again for somebody who asked, though it opens a session then; the
 * server refuses that, and later versions say it. Its client here says it too.
 */
import type { WaClient } from 'zapo-js/client';
import { writeSignedDeviceIdentity } from '../wire/protobuf.js';
import { child, children, type Stanza, stanza } from '../wire/stanza.js';

export function introduceResends(client: WaClient): void {
  const send = client.sendNode.bind(client);
  client.sendNode = (node) => send(introduced(client, node));
}

function introduced(client: WaClient, node: Stanza): Stanza {
  const opens = node.tag === 'message' && child(node, 'enc')?.attrs['type'] === 'pkmsg';
  const identity = client.getCredentials()?.signedIdentity;
  if (!opens || !identity || child(node, 'device-identity')) return node;
  const introduction = stanza('device-identity', {}, writeSignedDeviceIdentity(identity));
  return { ...node, content: [...children(node), introduction] };
}
