/**
 * When zapo-js 0.3.0 encrypts a message again, it opens a session but leaves out its own identity. The server refuses
 * that, and later versions of zapo-js send the identity. `introduceResends` adds it.
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
