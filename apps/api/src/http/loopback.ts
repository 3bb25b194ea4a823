const loopback = /^(localhost|127(\.\d{1,3}){3}|::1)$/;

/** Whether a host is this machine itself. Takes the forms of an address bar too: `[::1]` and `localhost.`. */
export const isLoopback = (host: string): boolean =>
  loopback.test(
    host
      .toLowerCase()
      .replace(/^\[(.*)\]$/, '$1')
      .replace(/\.$/, ''),
  );
