/**
 * One call: tries until the gateway answers, refuses for good, or no try is left.
 *
 * A send repeats the signature of its first try, and the gateway then gives its first answer. Shortly before that
 * signature expires, the send is signed again. Its client_ref then keeps it single. Any other call is signed again for
 * each try.
 */
import type { Connection } from './connection.js';
import { retryDelayMs } from './retry-policy.js';
import { signatureLifeSeconds } from '../contract/routes.js';
import { type PlainRequest, type SignedRequest, sign } from './signed-request.js';
import { type Outcome, type TryOptions, tryOnce } from './try-once.js';

/** A repeat must arrive before the gateway forgets the signature. */
const reuseSignatureMs = (signatureLifeSeconds - 30) * 1000;

export const callGateway = (connection: Connection, request: PlainRequest, options: TryOptions): Promise<object> =>
  tryAgain(connection, request, options, tryOnce);

/** The same for each kind of answer. */
export async function tryAgain<Data>(
  connection: Connection,
  request: PlainRequest,
  options: TryOptions,
  attempt: (connection: Connection, request: SignedRequest, options: TryOptions) => Promise<Outcome<Data>>,
): Promise<Data> {
  let signed = sign(connection, request);
  let corrected = false;
  for (let retries = 0; ; ) {
    const outcome = await attempt(connection, signed, options);
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

/** Takes over the gateway's time if the gateway refused the timestamp. Returns whether it did. */
function correctTime(connection: Connection, outcome: Outcome<unknown>): boolean {
  if (outcome.kind !== 'refused' || outcome.error.code !== 'TIMESTAMP_OUT_OF_RANGE') return false;
  if (outcome.gatewayNowMs === null) return false;
  connection.gatewayTime.correct(outcome.gatewayNowMs);
  return true;
}

function isReusable(connection: Connection, signed: SignedRequest): boolean {
  const ageMs = connection.gatewayTime.now() - signed.signedAtMs;
  return signed.repeat === 'first-answer' && ageMs >= 0 && ageMs < reuseSignatureMs;
}
