/** Reads the first frame of a new wire, which must be `login` or `link`, and decides whether the device is admitted. */
import { type DeviceFrame, type FrameOf, PROTOCOL_VERSION } from '../protocol/frames.js';
import { DeviceSession } from './device-session.js';
import type { Exchange } from './exchange/exchange.js';
import type { Wire } from './exchange/wire.js';
import { isLoginFault } from './faults/faults.js';
import type { LinkAttempts } from './linking/link-attempts.js';

const DEFAULT_REFUSAL_MS = 60_000;

export function greetDevice(exchange: Exchange, linking: LinkAttempts, wire: Wire): void {
  wire.listen({ frame: (frame) => greet(exchange, linking, wire, frame), closed: () => undefined });
}

function greet(exchange: Exchange, linking: LinkAttempts, wire: Wire, frame: DeviceFrame): void {
  const speaksOurVersion = 'v' in frame && frame.v === PROTOCOL_VERSION;
  if (speaksOurVersion && frame.t === 'login') logIn(exchange, wire, frame);
  else if (speaksOurVersion && frame.t === 'link') linking.open(wire, frame);
  else wire.end('protocol_error');
}

function logIn(exchange: Exchange, wire: Wire, frame: FrameOf<'login'>): void {
  if (refusedByFault(exchange, wire, frame.device)) return;
  const device = exchange.state.devices.byToken(frame.token);
  if (!device) return wire.end('logged_out');
  if (device.deviceId !== frame.device) return wire.end('credentials_invalid');
  const ban = exchange.state.banOf(device.number);
  if (ban) return wire.end(ban.reason, ban.reason === 'temporarily_banned' ? ban.until : undefined);
  new DeviceSession(exchange, device, wire, frame.epoch).open();
}

function refusedByFault(exchange: Exchange, wire: Wire, deviceId: string): boolean {
  const fault = exchange.faults.fire(isLoginFault, deviceId);
  if (!fault) return false;
  exchange.record({ kind: 'fault', fault: fault.kind, device_id: deviceId });
  const until = fault.reason === 'temporarily_banned' ? (fault.until_ms ?? Date.now() + DEFAULT_REFUSAL_MS) : undefined;
  wire.end(fault.reason, until);
  return true;
}
