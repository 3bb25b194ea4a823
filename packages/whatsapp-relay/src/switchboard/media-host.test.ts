import { Agent } from 'node:https';
import { get } from 'node:https';
import { X509Certificate } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createRelay, type Phone, type Relay } from '../index.js';
import { type Companion, linkCompanion } from '../../test/companion.js';

const receiver = '4915100000002';

describe('the media host', () => {
  let relay: Relay;
  let phone: Phone;
  let companion: Companion;
  let other: Companion;
  let agent: Agent;

  beforeAll(async () => {
    relay = await createRelay();
    agent = new Agent({ ca: relay.mediaCertificate });
    phone = await relay.createPhone('4915100000001');
    companion = await linkCompanion(relay, phone, undefined, { fetchAgent: agent });
    other = await linkCompanion(relay, await relay.createPhone(receiver));
  });

  afterAll(async () => {
    agent.destroy();
    await Promise.all([companion.close(), other.close()]);
    await relay.close();
  });

  it('has a certificate for its address', () => {
    const certificate = new X509Certificate(relay.mediaCertificate);
    expect(certificate.checkIP('127.0.0.1')).toBe('127.0.0.1');
    expect(certificate.verify(certificate.publicKey)).toBe(true);
  });

  it('stores an encrypted upload and returns it', async () => {
    const document = Buffer.from('what only the two of them read');
    const content = { document, mimetype: 'text/plain', fileName: 'a.txt' };
    await companion.socket.sendMessage(`${receiver}@s.whatsapp.net`, content, { messageId: 'DOCUMENT' });
    const received = await other.messages.when(({ key }) => key.id === 'DOCUMENT');
    const url = received.message?.documentMessage?.url ?? '';
    expect(relay.journal.of('upload')).toHaveLength(1);
    const stored = await download(url, agent);
    expect(stored.status).toBe(200);
    expect(stored.body.includes(document)).toBe(false);
    expect(stored.body.length).toBeGreaterThan(document.length);
    expect((await download(`${url}9`, agent)).status).toBe(404);
  });
});

function download(url: string, agent: Agent): Promise<{ status: number | undefined; body: Buffer }> {
  return new Promise((resolve, reject) => {
    const request = get(url, { agent }, (response) => {
      response.toArray().then((parts) => resolve({ status: response.statusCode, body: Buffer.concat(parts) }), reject);
    });
    request.on('error', reject);
  });
}
