import { createHash, timingSafeEqual } from 'node:crypto';

export type SignedFields = {
  readonly order_id: string;
  readonly status_code: string;
  readonly gross_amount: string;
  readonly signature_key: string;
};

/** Checks Midtrans' signature: SHA-512 over three fields and the server key. It covers neither status nor currency. */
export function isSignedByMidtrans(fields: SignedFields, serverKey: string): boolean {
  const text = fields.order_id + fields.status_code + fields.gross_amount + serverKey;
  const expected = createHash('sha512').update(text, 'utf8').digest();
  const given = Buffer.from(/^[0-9a-f]{128}$/i.test(fields.signature_key) ? fields.signature_key : '', 'hex');
  return given.length === expected.length && timingSafeEqual(given, expected);
}
