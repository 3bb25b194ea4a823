/**
 * The session of a device that is logged in: handles its frames, and sends it the events of the network. A device has
 * one session at a time (`Exchange.enter`). The session ends with its wire.
 */
import type { DeviceFrame } from '../protocol/frames.js';
import type { Exchange } from './exchange/exchange.js';
import type { LiveSession } from './exchange/live-session.js';
import type { Wire } from './exchange/wire.js';
import type { LinkedDevice } from './people/linked-devices.js';
import { takeMessage } from './sending/take-message.js';

export class DeviceSession implements LiveSession {
  readonly device: LinkedDevice;
  readonly wire: Wire;
  readonly origin: LiveSession['origin'];
  readonly #exchange: Exchange;

  constructor(exchange: Exchange, device: LinkedDevice, wire: Wire, epoch: string) {
    this.device = device;
    this.wire = wire;
    this.origin = { device_id: device.deviceId, epoch, socket: wire.id };
    this.#exchange = exchange;
  }

  open(): void {
    this.#exchange.enter(this);
    this.wire.listen({ frame: (frame) => this.#onFrame(frame), closed: () => this.#exchange.leave(this) });
    this.wire.send({ t: 'welcome', number: this.device.number });
    this.device.outbox.rewind();
    this.pump();
  }

  pump(): void {
    const { outbox } = this.device;
    for (let event = outbox.next(); event; event = outbox.next()) {
      for (let sent = 0; sent < event.times; sent += 1) this.wire.send(event.frame);
    }
  }

  #onFrame(frame: DeviceFrame): void {
    switch (frame.t) {
      case 'send':
        takeMessage(this.#exchange, this, frame);
        return;
      case 'settle':
        this.#settle(frame.n);
        return;
      case 'typing':
        this.#exchange.state.phones.signalTyping(frame.to, {
          from: this.device.number,
          action: frame.action,
          at: new Date(),
        });
        return;
      case 'read':
        this.#exchange.state.phones.markRead(frame.to, this.device.number, frame.ids);
        return;
      case 'logout':
        this.#exchange.unlink(this.device.deviceId, 'device');
        return;
      default:
        this.wire.end('protocol_error');
    }
  }

  #settle(n: number): void {
    const { deviceId, outbox } = this.device;
    if (!outbox.settle(n)) return;
    this.#exchange.record({ kind: 'settled', device_id: deviceId, events: [n] });
    // The settled event makes room for one that waits.
    this.pump();
  }
}
