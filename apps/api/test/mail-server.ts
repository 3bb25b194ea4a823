/** A mail server on loopback (RFC 5321, STARTTLS, AUTH). A test may let it refuse recipients. */
import { once } from 'node:events';
import { type AddressInfo, createServer, type Server, type Socket } from 'node:net';
import { SMTPServer, type SMTPServerSession } from 'smtp-server';

export type ReceivedMail = {
  readonly recipient: string;
  readonly sender: string;
  readonly user: string | undefined;
  readonly encrypted: boolean;
  readonly text: string;
};

export type MailServer = {
  /** Contains the user's name and password. The certificate is self-signed. */
  readonly url: string;
  readonly mails: ReceivedMail[];
  /** All passwords that clients tried. */
  readonly passwords: string[];
  /** If true, the server refuses recipients, and the reply names them. */
  refusing: boolean;
  close(): Promise<void>;
};

const [user, password] = ['kurir', 'canary-mail-password'];

/** Decodes quoted-printable text (RFC 2045), which breaks long lines with `=`. */
const decode = (raw: string) =>
  raw
    .replace(/=\r\n/g, '')
    .replace(/=([0-9A-F]{2})/g, (_whole, hex: string) => String.fromCharCode(Number.parseInt(hex, 16)));

const refusal = (text: string) => Object.assign(new Error(text), { responseCode: 550 });

// A listening TCP server has an address object.
const portOf = (server: Server) => (server.address() as AddressInfo).port;

export async function startMailServer({ tls = true }: { readonly tls?: boolean } = {}): Promise<MailServer> {
  const mails: ReceivedMail[] = [];
  const passwords: string[] = [];
  const receive = (raw: string, { envelope, secure, user: by }: SMTPServerSession) =>
    mails.push({
      recipient: envelope.rcptTo[0]?.address ?? '',
      sender: envelope.mailFrom === false ? '' : envelope.mailFrom.address,
      user: by,
      encrypted: secure,
      text: decode(raw),
    });
  const server = new SMTPServer({
    logger: false,
    allowInsecureAuth: true,
    ...(tls ? {} : { disabledCommands: ['STARTTLS'] }),
    onAuth({ username, password: given }, _session, callback) {
      passwords.push(given ?? '');
      if (username === user && given === password) callback(null, { user });
      else callback(refusal('no'));
    },
    onRcptTo({ address }, _session, callback) {
      callback(started.refusing ? refusal(`<${address}> has no mailbox here`) : null);
    },
    onData(stream, session, callback) {
      let raw = '';
      stream.on('data', (chunk: Buffer) => (raw += chunk.toString('latin1')));
      stream.on('end', () => {
        receive(raw, session);
        callback();
      });
    },
  });
  // A client may leave in the middle of a command.
  server.on('error', () => undefined);
  await once(server.listen(0, '127.0.0.1'), 'listening');
  const started: MailServer = {
    url: `smtp://${user}:${password}@127.0.0.1:${portOf(server.server)}/?tls.rejectUnauthorized=false`,
    mails,
    passwords,
    refusing: false,
    close: () => new Promise<void>((resolve) => server.close(resolve)),
  };
  return started;
}

/** Starts a server that accepts connections and sends nothing, like an overloaded server. */
export async function startSilentServer() {
  const sockets = new Set<Socket>();
  const server = createServer((socket) => {
    sockets.add(socket);
    socket.on('error', () => undefined).on('close', () => sockets.delete(socket));
  });
  await once(server.listen(0, '127.0.0.1'), 'listening');
  return {
    url: `smtp://${user}:${password}@127.0.0.1:${portOf(server)}`,
    get waiting() {
      return sockets.size;
    },
    async close() {
      for (const socket of sockets) socket.destroy();
      server.close();
      await once(server, 'close');
    },
  };
}
