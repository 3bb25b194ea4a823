/**
 * Takes one message from a device. The journal is written before the acknowledgement. A repeated id is acknowledged
 * again and shown once. An armed fault can prevent the message or its acknowledgement, delay the acknowledgement, or
 * cut the connection.
 */
import type { FrameOf, RefusalReason } from '../../protocol/frames.js';
import type { Exchange } from '../exchange/exchange.js';
import type { LiveSession } from '../exchange/live-session.js';
import { isMessageFault, type MessageFault } from '../faults/faults.js';

type Refusal = { readonly reason: RefusalReason; readonly permanent: boolean; readonly retry_after_ms?: number };

export function takeMessage(exchange: Exchange, session: LiveSession, frame: FrameOf<'send'>): void {
  if (!exchange.state.phones.exists(frame.to)) {
    refuse(exchange, session, frame, { reason: 'recipient_not_on_network', permanent: true });
    return;
  }
  const fault = fireFault(exchange, session, frame);
  if (!fault || isTaken(fault)) {
    keep(exchange, session, frame);
    exchange.journal.afterWrite(() => acknowledge(exchange, session, frame.id, fault));
    return;
  }
  if (fault.kind === 'reset_before_take') session.wire.reset();
  if (fault.kind === 'ack_negative') {
    const { reason, permanent, retry_after_ms } = fault;
    refuse(exchange, session, frame, { reason, permanent, ...(permanent ? {} : { retry_after_ms }) });
  }
}

function isTaken({ kind }: MessageFault): boolean {
  return kind === 'ack_late' || kind === 'ack_lost' || kind === 'reset_after_take';
}

function fireFault(exchange: Exchange, session: LiveSession, frame: FrameOf<'send'>): MessageFault | null {
  const { deviceId } = session.device;
  const fault = exchange.faults.fire(isMessageFault, deviceId, frame.to);
  if (fault) exchange.record({ kind: 'fault', fault: fault.kind, device_id: deviceId });
  return fault;
}

function keep(exchange: Exchange, session: LiveSession, { id, to, text }: FrameOf<'send'>): void {
  const from = session.device.number;
  const repeat = exchange.state.phones.has(from, to, id);
  exchange.record({ kind: 'message', ...session.origin, network_message_id: id, recipient: to, from, text, repeat });
  exchange.announce(to);
}

function acknowledge(exchange: Exchange, session: LiveSession, id: string, fault: MessageFault | null): void {
  switch (fault?.kind) {
    case undefined:
      session.wire.send({ t: 'ack', id });
      return;
    case 'ack_late':
      // The device may have another session by then. A late acknowledgement goes to the newest one.
      setTimeout(() => {
        exchange.session(session.device.deviceId)?.wire.send({ t: 'ack', id });
      }, fault.delay_ms).unref();
      return;
    case 'reset_after_take':
      session.wire.reset();
      return;
    default:
  }
}

function refuse(exchange: Exchange, session: LiveSession, frame: FrameOf<'send'>, refusal: Refusal): void {
  exchange.record({
    kind: 'refused',
    ...session.origin,
    network_message_id: frame.id,
    recipient: frame.to,
    reason: refusal.reason,
  });
  session.wire.send({ t: 'nack', id: frame.id, ...refusal });
}
