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
    stringToSign: body.string_to_sign ?? null,
  }));

/** The mistakes that people make. The debugger signs with each mistake to find the one that was made. */
export const signatureFindings = [
  'unknown_key',
  'revoked_key',
  'not_hex',
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

export const debugAnswer = z.object({
  matches: z.boolean(),
  /** The version of the secret that made the signature. Null: none did. */
  secret_version: z.int().nullable(),
  /** The text that the server signs; `parts` has its parts. */
  string_to_sign: z.string(),
  parts: z.object({ method: z.string(), target: z.string(), timestamp: z.string(), body_sha256: z.string() }),
  /** The first difference of the given string_to_sign, in characters from 0. Null: there is none, or none was given. */
  difference: z.object({ at: z.int(), yours: z.string(), ours: z.string() }).nullable(),
  findings: z.array(z.enum(signatureFindings)),
  /** One sentence for each finding. */
  advice: z.array(z.string()),
});
