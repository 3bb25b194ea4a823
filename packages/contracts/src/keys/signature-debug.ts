/** What the debugger of signatures takes and finds. */
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
    /** What the caller's program signed, where it can print that. */
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

/** What people get wrong, each told apart by trying it. */
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
  /** Which of the key's secrets made it; null when none did. */
  secret_version: z.int().nullable(),
  /** What the server signs, and its parts. */
  string_to_sign: z.string(),
  parts: z.object({ method: z.string(), target: z.string(), timestamp: z.string(), body_sha256: z.string() }),
  /** Where the given string_to_sign differs first, counted in characters from 0; null: it does not, or none was given. */
  difference: z.object({ at: z.int(), yours: z.string(), ours: z.string() }).nullable(),
  findings: z.array(z.enum(signatureFindings)),
  /** The same in a sentence each. */
  advice: z.array(z.string()),
});
