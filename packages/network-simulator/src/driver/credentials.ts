/** The only credential of a device of this network: one secret token, as UTF-8 bytes. */
export const TOKEN_KIND = 'login';
export const TOKEN_ID = 'token';
