/** Explains why a signature does not match the request. It never reveals the right signature. */
import { createHmac } from 'node:crypto';
import type { DashboardData } from '@kurir/contracts/dashboard';
import { checkTimestamp, sha256Hex, verifyRequestSignature } from '@kurir/signing';
import { advice } from './advice.js';
import { type Finding, isSame, rightText, type Signed, wrongMacs, wrongTexts } from './mistakes.js';

export type Question = Signed & {
  readonly signature: string;
  readonly stringToSign: string | null;
  /** The key's live secrets with their versions, or null if the account has no such key. */
  readonly secrets: readonly { readonly version: number; readonly secret: string }[] | null;
  readonly isRevoked: boolean;
  readonly endedSecrets: readonly string[];
  readonly publicUrl: string;
  readonly nowMs: number;
};

const hexMac = (secret: string, text: string) => createHmac('sha256', secret).update(text).digest('hex');
const isHex = /^[0-9a-fA-F]{64}$/;

function timestampFindings({ timestamp, nowMs }: Question): Finding[] {
  const { outcome } = checkTimestamp(timestamp, nowMs);
  if (outcome === 'malformed') return ['timestamp_malformed'];
  return outcome === 'out-of-range' ? ['timestamp_out_of_range'] : [];
}

// Object.entries widens the keys of the tables to `string`.
const entriesOf = <T>(table: { readonly [F in Finding]?: T }) => Object.entries(table) as [Finding, T][];

/** Returns the mistakes that lead to exactly this signature with one of the secrets. */
function findMistakes(question: Question, secrets: readonly string[], text: string): Finding[] {
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

function findDifference(ours: string, yours: string | null) {
  if (yours === null || yours === ours) return null;
  let at = 0;
  while (at < ours.length && ours[at] === yours[at]) at++;
  const around = 24;
  return { at, yours: yours.slice(at, at + around), ours: ours.slice(at, at + around) };
}

function findingsOf(question: Question, text: string, matched: number | null): Finding[] {
  const timestamps = timestampFindings(question);
  if (question.secrets === null) return ['unknown_key', ...timestamps];
  if (question.isRevoked) return ['revoked_key', ...timestamps];
  if (matched !== null) return timestamps;
  const secrets = question.secrets.map(({ secret }) => secret);
  const found = findMistakes(question, secrets, text);
  if (question.endedSecrets.some((secret) => isSame(hexMac(secret, text), question.signature.trim().toLowerCase())))
    found.push('old_secret_ended');
  if (found.length === 0 && !isHex.test(question.signature.trim())) found.push('not_hex');
  if (question.stringToSign !== null && question.stringToSign !== text) found.push('string_to_sign_differs');
  return [...(found.length === 0 ? (['unexplained'] as const) : found), ...timestamps];
}

export function explainSignature(question: Question): DashboardData<'debugSignature'> {
  const signed = { ...question, method: question.method.toUpperCase() };
  const text = rightText(signed);
  const bodySha256 = sha256Hex(signed.body);
  const secrets = question.isRevoked ? [] : (question.secrets ?? []);
  const matched = verifyRequestSignature({ ...signed, bodySha256, secrets: secrets.map(({ secret }) => secret) });
  const findings = findingsOf(signed, text, matched);
  return {
    matches: matched !== null && findings.length === 0,
    secret_version: matched === null ? null : (secrets[matched]?.version ?? null),
    string_to_sign: text,
    parts: { method: signed.method, target: signed.target, timestamp: signed.timestamp, body_sha256: bodySha256 },
    difference: findDifference(text, question.stringToSign),
    findings,
    advice: findings.map((finding) => advice[finding]),
  };
}
