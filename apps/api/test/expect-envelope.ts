import { type ErrorCode, errorCatalogue, errorCodes } from '@kurir/contracts';
import { expect } from 'vitest';

/** Expects exactly the fields of the contract, and a code of the catalogue with its status. Returns the code. */
export function expectErrorEnvelope(status: number, text: string): ErrorCode {
  const body: unknown = JSON.parse(text);
  expect(body).toEqual({ success: false, code: expect.any(String), error: expect.stringMatching(/\S/) });
  const code = errorCodes.find((known) => known === (body as { code: string }).code);
  if (code === undefined) throw new Error(`a code outside the catalogue: ${text}`);
  expect(status).toBe(errorCatalogue[code].status);
  return code;
}

export function expectSuccessEnvelope(status: number, text: string): void {
  expect(status).toBe(200);
  expect(JSON.parse(text)).toEqual({ success: true, message: expect.any(String), data: expect.any(Object) });
}
