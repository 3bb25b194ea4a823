/** The input and the findings of the debugger of signatures. */
import { z } from 'zod';
import { limits } from '../http/limits.js';

export const debugRequest = z
  .strictObject({
    api_key: z.string().max(128),
    method: z.string().min(1).max(16),
    target: z.string().min(1).max(8_192),
    timestamp: z.string().max(32),
    body: z.string().max(limits.debugBodyMaxLength),
    signature: z.string().max(256),
    /** The headers of the request, if it has them. Scheme 2 signs the last two. */
    signature_version: z.string().max(32).optional(),
    device_id: z.string().max(256).optional(),
    idempotency_key: z.string().max(256).optional(),
    /** The text that the caller's program signed, if the program can print it. */
    string_to_sign: z.string().max(16_384).optional(),
  })
  .transform((body) => ({
    apiKey: body.api_key,
    method: body.method,
    target: body.target,
    timestamp: body.timestamp,
    body: body.body,
    signature: body.signature,
    signatureVersion: body.signature_version ?? null,
    deviceId: body.device_id ?? null,
    idempotencyKey: body.idempotency_key ?? null,
    stringToSign: body.string_to_sign ?? null,
  }));

/** The mistakes that people make. The debugger signs with each mistake to find the one that was made. */
export const signatureFindings = [
  'unknown_key',
  'revoked_key',
  'not_hex',
  'version_unknown',
  'version_header_missing',
  'signed_in_scheme_1',
  'version_left_out',
  'device_left_out',
  'idempotency_key_left_out',
  'idempotency_key_not_hashed',
  'parts_reordered',
  'timestamp_malformed',
  'timestamp_out_of_range',
  'method_not_upper_case',
  'target_without_query',
  'target_decoded',
  'target_with_host',
  'target_slash_at_end',
  'target_query_sorted',
  'timestamp_in_other_unit',
  'body_hash_upper_case',
  'body_left_out',
  'body_not_hashed',
  'body_trimmed',
  'body_with_newline',
  'body_reformatted',
  'body_slashes_escaped',
  'separator_newline',
  'separator_none',
  'signature_base64',
  'signature_sha512',
  'secret_as_hex',
  'secret_as_base64',
  'secret_trimmed_prefix',
  'old_secret_ended',
  'string_to_sign_differs',
  'unexplained',
] as const;

/** The parts of the text that is signed, in the order of scheme 2. Scheme 1 has four of them. */
export const signedParts = [
  'version',
  'method',
  'target',
  'timestamp',
  'device_id',
  'idempotency_key_sha256',
  'body_sha256',
] as const;

export const debugAnswer = z.object({
  matches: z.boolean(),
  /** The version of the secret that made the signature. Null: none did. */
  secret_version: z.int().nullable(),
  /** The text that the server signs; `parts` has its parts. */
  string_to_sign: z.string(),
  parts: z.partialRecord(z.enum(signedParts), z.string()),
  /**
   * The first difference of the given string_to_sign, in characters from 0, and the part of the server's text that it lies
   * in. Null: there is none, or none was given.
   */
  difference: z.object({ at: z.int(), part: z.enum(signedParts), yours: z.string(), ours: z.string() }).nullable(),
  findings: z.array(z.enum(signatureFindings)),
  /** One sentence for each finding. */
  advice: z.array(z.string()),
});
