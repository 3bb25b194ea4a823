/** Arms a fault, or carries it out at once. A fault of devices returns how many devices it hit. */
import type { ArmedFault } from '../faults/armed-faults.js';
import { type DeviceFault, type Fault, isDeviceFault } from '../faults/faults.js';
import type { Exchange } from './exchange.js';

/** `armed`: the fault waits. `struck`: it was carried out. `refused`: too many faults wait already. */
export type Injected =
  | { readonly kind: 'armed'; readonly armed: ArmedFault }
  | { readonly kind: 'struck'; readonly devices: number }
  | { readonly kind: 'refused' };

export function injectFault(exchange: Exchange, fault: Fault): Injected {
  if (isDeviceFault(fault) && fault.after_ms === 0) return { kind: 'struck', devices: strike(exchange, fault) };
  const armed = isDeviceFault(fault)
    ? exchange.faults.schedule(fault, () => strike(exchange, fault))
    : exchange.faults.arm(fault);
  return armed ? { kind: 'armed', armed } : { kind: 'refused' };
}

function strike(exchange: Exchange, fault: DeviceFault): number {
  exchange.record({ kind: 'fault', fault: fault.kind, device_id: fault.device_id ?? null });
  const targets = fault.device_id === undefined ? onlineDevices(exchange) : [fault.device_id];
  return targets.filter((deviceId) => strikeDevice(exchange, fault, deviceId)).length;
}

function onlineDevices(exchange: Exchange): string[] {
  return exchange.sessions().map((session) => session.device.deviceId);
}

function strikeDevice(exchange: Exchange, fault: DeviceFault, deviceId: string): boolean {
  switch (fault.kind) {
    case 'ban':
      return exchange.ban(deviceId, null);
    case 'temporary_ban':
      return exchange.ban(deviceId, fault.until_ms);
    case 'lift_ban':
      return exchange.liftBan(deviceId);
    case 'logout':
      return exchange.unlink(deviceId, 'phone');
    case 'conflict':
      return exchange.kick(deviceId);
    case 'restart': {
      const session = exchange.session(deviceId);
      session?.wire.end('restart_required');
      return session !== undefined;
    }
  }
}
