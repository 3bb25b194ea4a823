/**
 * The span of an acceptance, from the parsed message to its commit. The message keeps it, and the spans of sending stand
 * below it. A message of a bulk has a trace of its own, because thousands of messages would make one trace unreadable.
 */
import { isDeviceId } from '@kurir/contracts';
import {
  acceptBulk,
  type AcceptOutcome,
  type Acceptor,
  acceptMessage,
  type BulkAcceptor,
  type NewMessage,
} from '@kurir/database';
import { type Attributes, beginSpan, beginTraces, traced } from '@kurir/tracing';

const attributesOf = ({ id, deviceId }: NewMessage): Attributes => ({
  'kurir.job_id': id,
  // Not parsed: the header may hold any text.
  ...(isDeviceId(deviceId) ? { 'kurir.device_id': deviceId } : {}),
});

/** A repeated message is the first one. */
const outcomeAttributes = (outcome: AcceptOutcome): Attributes => ({
  'kurir.result': outcome.kind === 'refused' ? outcome.code : outcome.kind,
  ...(outcome.kind === 'repeated' ? { 'kurir.job_id': outcome.messageId } : {}),
});

const notStored: Attributes = { 'error.type': 'not_stored' };

/** As `acceptMessage`. `request` is the span of the request, or null. */
export async function acceptTraced(
  acceptor: Acceptor,
  message: NewMessage,
  request: string | null,
): Promise<AcceptOutcome> {
  const span = request === null ? null : beginSpan(request, 'accept message', { attributes: attributesOf(message) });
  if (span === null) return acceptMessage(acceptor, message);
  try {
    const outcome = await acceptMessage(acceptor, traced(message, span));
    span.end(outcomeAttributes(outcome));
    return outcome;
  } catch (error) {
    span.end(notStored);
    throw error;
  }
}

/** As `acceptBulk`. The traces of its messages link to the request. */
export async function acceptBulkTraced(
  acceptor: BulkAcceptor,
  messages: readonly NewMessage[],
  request: string | null,
): Promise<AcceptOutcome[]> {
  const spans = beginTraces('accept message', messages, { link: request, attributesOf });
  if (spans === null) return acceptBulk(acceptor, messages);
  try {
    const outcomes = await acceptBulk(
      acceptor,
      messages.map((message, i) => traced(message, spans[i])),
    );
    for (const [i, outcome] of outcomes.entries()) spans[i]?.end(outcomeAttributes(outcome));
    return outcomes;
  } catch (error) {
    for (const span of spans) span?.end(notStored);
    throw error;
  }
}
