import { request } from 'node:http';

export type Reply = { readonly status: number; readonly body: unknown };

/** Sends one HTTP request on its own connection, so that nothing stays open. A string body is sent as it is. */
export function ask(base: string, method: string, path: string, body?: unknown): Promise<Reply> {
  const headers = body === undefined ? {} : { 'content-type': 'application/json' };
  return new Promise((resolve, reject) => {
    const outgoing = request(new URL(path, base), { method, agent: false, headers }, (response) => {
      let text = '';
      response.setEncoding('utf8');
      response.on('data', (part: string) => {
        text += part;
      });
      response.on('end', () => resolve({ status: response.statusCode ?? 0, body: JSON.parse(text) }));
      response.on('error', reject);
    });
    outgoing.on('error', reject);
    outgoing.end(body === undefined || typeof body === 'string' ? body : JSON.stringify(body));
  });
}

/** Like `ask`, but rejects unless the status is 2xx. */
export async function askFor(base: string, method: string, path: string, body?: unknown): Promise<unknown> {
  const reply = await ask(base, method, path, body);
  if (reply.status >= 300) throw new Error(`${method} ${path}: ${reply.status} ${JSON.stringify(reply.body)}`);
  return reply.body;
}
