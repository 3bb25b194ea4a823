// TCP ports on this machine.
import { connect, createServer } from 'node:net';

/** Returns a port that nobody listens on. */
export function freePort(host = '127.0.0.1') {
  return new Promise((resolve, reject) => {
    const server = createServer();
    server.once('error', reject);
    server.listen(0, host, () => {
      const { port } = server.address();
      server.close(() => resolve(port));
    });
  });
}

function answers(port) {
  return new Promise((resolve) => {
    const socket = connect(port, '127.0.0.1');
    socket.once('connect', () => {
      socket.destroy();
      resolve(true);
    });
    socket.once('error', () => resolve(false));
  });
}

function canListen(port, host) {
  return new Promise((resolve) => {
    const server = createServer();
    server.once('error', () => resolve(false));
    server.listen(port, host, () => server.close(() => resolve(true)));
  });
}

/**
 * On macOS a program may listen on 127.0.0.1 although another program has the port on all addresses. So this checks
 * both.
 */
export async function isFree(port, host = '127.0.0.1') {
  return !(await answers(port)) && (await canListen(port, host));
}

/** Returns the preferred port, or another one if it is taken. */
export async function preferPort(preferred, host) {
  return (await isFree(preferred, host)) ? preferred : freePort(host);
}
