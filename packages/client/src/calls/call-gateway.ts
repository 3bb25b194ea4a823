/**
 * One call: tries until there is an answer, a refusal that lasts, or no try left.
 *
 * A send is repeated under the signature of its first try, to which the gateway gives its first answer. When that
 * signature is about to grow too old it is signed anew; then its client_ref, which every send has, keeps it single.
 * Everything else is signed anew for each try.
 */
import type { Connection } from './connection.js';
import { retryDelayMs } from './retry-policy.js';
import { signatureLifeSeconds } from '../contract/routes.js';
import { type PlainRequest, type SignedRequest, sign } from './signed-request.js';
import { type Outcome, type TryOptions, tryOnce } from './try-once.js';

/** The repeat must still arrive while the gateway knows the signature. */
const reuseSignatureMs = (signatureLifeSeconds - 30) * 1000;

export async function callGateway(connection: Connection, request: PlainRequest, options: TryOptions): Promise<object> {
  let signed = sign(connection, request);
  let corrected = false;
  for (let retries = 0; ; ) {
    const outcome = await tryOnce(connection, signed, options);
    if (outcome.kind === 'answered') return outcome.data;
    if (!corrected && correctTime(connection, outcome)) {
      corrected = true;
      signed = sign(connection, request);
      continue;
    }
    const delayMs = retryDelayMs(outcome, request.repeat, retries, connection.random);
    if (delayMs === null || retries >= connection.maxRetries) throw outcome.error;
    retries++;
    await connection.clock.sleep(delayMs, options.signal);
    if (!isReusable(connection, signed)) signed = sign(connection, request);
  }
}

/** Sets the clock by the gateway's when that was the reason of the refusal. */
function correctTime(connection: Connection, outcome: Outcome): boolean {
  if (outcome.kind !== 'refused' || outcome.error.code !== 'TIMESTAMP_OUT_OF_RANGE') return false;
  if (outcome.gatewayNowMs === null) return false;
  connection.gatewayTime.correct(outcome.gatewayNowMs);
  return true;
}

function isReusable(connection: Connection, signed: SignedRequest): boolean {
  const ageMs = connection.gatewayTime.now() - signed.signedAtMs;
  return signed.repeat === 'first-answer' && ageMs >= 0 && ageMs < reuseSignatureMs;
}
