/**
 * The addresses of the api for customers and for itself. They are known once it listens, because the port may be any.
 */
export type Addresses = {
  /** The start of all addresses that customers get, without a slash at the end. */
  publicUrl(): string;
  /** The address at which this process reaches its own server. */
  ownUrl(): string;
  listensOn(port: number): void;
};

const everyAddress = new Set(['0.0.0.0', '::']);

function ownHost(host: string): string {
  if (everyAddress.has(host)) return host === '::' ? '[::1]' : '127.0.0.1';
  return host.includes(':') ? `[${host}]` : host;
}

export function createAddresses(options: { readonly host: string; readonly publicUrl: string | undefined }): Addresses {
  let port: number | null = null;
  const ownUrl = () => {
    if (port === null) throw new Error('the server does not listen yet');
    return `http://${ownHost(options.host)}:${port}`;
  };
  return {
    publicUrl: () => options.publicUrl?.replace(/\/+$/, '') ?? ownUrl(),
    ownUrl,
    listensOn(listening) {
      port = listening;
    },
  };
}
