/** Explains why a signature does not match the request. It never reveals the right signature. */
import { createHmac } from 'node:crypto';
import type { DashboardData } from '@kurir/contracts/dashboard';
import { checkTimestamp, sha256Hex, verifyRequestSignature } from '@kurir/signing';
import { advice } from './advice.js';
import {
  type Finding,
  isSame,
  partsOf,
  rightText,
  type Signed,
  type SignedPart,
  wrongMacs,
  wrongTexts,
} from './mistakes.js';

export type Question = Omit<Signed, 'scheme'> & {
  readonly signature: string;
  /** The text of X-Signature-Version, or null if the request has none. */
  readonly signatureVersion: string | null;
  readonly stringToSign: string | null;
  /** The key's live secrets with their versions, or null if the account has no such key. */
  readonly secrets: readonly { readonly version: number; readonly secret: string }[] | null;
  readonly isRevoked: boolean;
  readonly endedSecrets: readonly string[];
  readonly publicUrl: string;
  readonly nowMs: number;
};

type Read = Question & Signed;

/** The scheme that the text of X-Signature-Version means, even if it is misspelt. */
const schemeOf = (version: string | null): 1 | 2 => (version?.includes('2') ? 2 : 1);

const hexMac = (secret: string, text: string) => createHmac('sha256', secret).update(text).digest('hex');
const isHex = /^[0-9a-fA-F]{64}$/;

/** Mistakes in the headers, whatever the signature is. */
function headerFindings({ timestamp, nowMs, signatureVersion }: Question): Finding[] {
  const found: Finding[] = [null, '1', '2'].includes(signatureVersion) ? [] : ['version_unknown'];
  const { outcome } = checkTimestamp(timestamp, nowMs);
  if (outcome === 'malformed') found.push('timestamp_malformed');
  if (outcome === 'out-of-range') found.push('timestamp_out_of_range');
  return found;
}

// Object.entries widens the keys of the tables to `string`.
const entriesOf = <T>(table: { readonly [F in Finding]?: T }) => Object.entries(table) as [Finding, T][];

/** Returns the mistakes that lead to exactly this signature with one of the secrets. */
function findMistakes(question: Read, secrets: readonly string[], text: string): Finding[] {
  const given = question.signature.trim();
  const lower = given.toLowerCase();
  const byText = entriesOf(wrongTexts).flatMap(([finding, texts]) =>
    texts(question, question.publicUrl).some(
      (wrong) => wrong !== text && secrets.some((secret) => isSame(hexMac(secret, wrong), lower)),
    )
      ? [finding]
      : [],
  );
  const byMac = entriesOf(wrongMacs).flatMap(([finding, macs]) =>
    secrets.some((secret) => macs(text, secret).some((wrong) => isSame(wrong, given))) ? [finding] : [],
  );
  return [...byText, ...byMac];
}

/** Returns the part that the character at `at` belongs to. The colon after a part belongs to it. */
function partAt(signed: Signed, at: number): SignedPart {
  let end = 0;
  for (const [part, text] of Object.entries(partsOf(signed))) {
    end += text.length + 1;
    // The parts are named by `SignedPart`. Object.entries widens them.
    if (at < end) return part as SignedPart;
  }
  return 'body_sha256';
}

function findDifference(signed: Signed, ours: string, yours: string | null) {
  if (yours === null || yours === ours) return null;
  let at = 0;
  while (at < ours.length && ours[at] === yours[at]) at++;
  const around = 24;
  return { at, part: partAt(signed, at), yours: yours.slice(at, at + around), ours: ours.slice(at, at + around) };
}

function findingsOf(question: Read, text: string, matched: number | null): Finding[] {
  const headers = headerFindings(question);
  if (question.secrets === null) return ['unknown_key', ...headers];
  if (question.isRevoked) return ['revoked_key', ...headers];
  if (matched !== null) return headers;
  const secrets = question.secrets.map(({ secret }) => secret);
  const found = findMistakes(question, secrets, text);
  if (question.endedSecrets.some((secret) => isSame(hexMac(secret, text), question.signature.trim().toLowerCase())))
    found.push('old_secret_ended');
  if (found.length === 0 && !isHex.test(question.signature.trim())) found.push('not_hex');
  if (question.stringToSign !== null && question.stringToSign !== text) found.push('string_to_sign_differs');
  return [...(found.length === 0 ? (['unexplained'] as const) : found), ...headers];
}

export function explainSignature(question: Question): DashboardData<'debugSignature'> {
  const { deviceId, idempotencyKey } = question;
  const scheme = schemeOf(question.signatureVersion);
  const signed = { ...question, method: question.method.toUpperCase(), scheme };
  const text = rightText(signed);
  const bodySha256 = sha256Hex(signed.body);
  const signedHeaders = scheme === 2 ? { deviceId, idempotencyKey } : undefined;
  const secrets = question.isRevoked ? [] : (question.secrets ?? []);
  const texts = secrets.map(({ secret }) => secret);
  const matched = verifyRequestSignature({ ...signed, signedHeaders, bodySha256, secrets: texts });
  const findings = findingsOf(signed, text, matched);
  return {
    matches: matched !== null && findings.length === 0,
    secret_version: matched === null ? null : (secrets[matched]?.version ?? null),
    string_to_sign: text,
    parts: partsOf(signed),
    difference: findDifference(signed, text, question.stringToSign),
    findings,
    advice: findings.map((finding) => advice[finding]),
  };
}
