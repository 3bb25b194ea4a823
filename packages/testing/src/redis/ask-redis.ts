import { once } from 'node:events';
import { connect } from 'node:net';

const end = 'end-of-replies';

/** Sends one command over a connection of its own. Returns the reply as Redis wrote it. Rejects if nobody listens. */
export async function askRedis(port: number, command: string, password?: string): Promise<string> {
  const socket = connect(port, '127.0.0.1').setTimeout(2_000);
  socket.once('timeout', () => socket.destroy(new Error('Redis does not answer')));
  try {
    await once(socket, 'connect');
    const lines = [...(password === undefined ? [] : [`AUTH ${password}`]), command, `PING ${end}`];
    socket.write(lines.map((line) => `${line}\r\n`).join(''));
    let text = '';
    for await (const chunk of socket.setEncoding('utf8')) {
      text += String(chunk);
      if (text.endsWith(`${end}\r\n`)) break;
    }
    const reply = text.slice(0, text.lastIndexOf(`$${end.length}\r\n`));
    return password === undefined ? reply : reply.slice(reply.indexOf('\r\n') + 2);
  } finally {
    socket.destroy();
  }
}
