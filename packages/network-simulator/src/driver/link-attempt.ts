/**
 * Links a device. Shows codes until a phone uses one, stores the token, and only then reports `linked`. If the store
 * rejects the token, the network forgets the link.
 */
import type { LinkAttempt, LinkEnd, LinkFailure, LinkOptions } from '@kurir/network';
import { type NetworkFrame, type NetworkFrameOf, PROTOCOL_VERSION } from '../protocol/frames.js';
import { TOKEN_ID, TOKEN_KIND } from './credentials.js';
import { DeviceSocket } from './device-socket.js';
import type { DriverSettings } from './driver-settings.js';

export class SimulatorLinkAttempt implements LinkAttempt {
  readonly end: Promise<LinkEnd>;
  readonly #options: LinkOptions;
  readonly #socket: DeviceSocket;
  #resolve: (end: LinkEnd) => void = () => undefined;
  #state: 'waiting' | 'storing' | 'over' = 'waiting';

  constructor(settings: DriverSettings, options: LinkOptions) {
    this.#options = options;
    this.end = new Promise((resolve) => {
      this.#resolve = resolve;
    });
    this.#socket = new DeviceSocket(settings, {
      opened: () => this.#ask(),
      frame: (frame) => this.#onFrame(frame),
      closed: (reason) => {
        // While the token is being stored, only the store decides how linking ends.
        if (this.#state === 'waiting') this.#finish({ kind: 'failed', reason });
      },
    });
  }

  cancel(): void {
    if (this.#state === 'waiting') this.#finish({ kind: 'cancelled' });
  }

  #ask(): void {
    const { deviceId, epoch, method, phoneNumber } = this.#options;
    this.#socket.send({
      t: 'link',
      v: PROTOCOL_VERSION,
      device: deviceId,
      epoch: epoch.toString(),
      method,
      ...(phoneNumber !== undefined && { phone: phoneNumber }),
    });
  }

  #onFrame(frame: NetworkFrame): void {
    if (this.#state !== 'waiting') return;
    if (frame.t === 'code') this.#options.code(frame.code, new Date(Date.now() + frame.valid_ms));
    if (frame.t === 'linked') void this.#store(frame);
    if (frame.t === 'end') this.#finish(endOf(frame.reason));
  }

  async #store({ number, token }: NetworkFrameOf<'linked'>): Promise<void> {
    this.#state = 'storing';
    try {
      await this.#options.credentials.write([{ kind: TOKEN_KIND, id: TOKEN_ID, value: Buffer.from(token) }]);
    } catch {
      // The store logs why it rejected the token. Here it only means that the device is not linked.
      this.#socket.send({ t: 'unlink' });
      return this.#finish({ kind: 'failed', reason: 'credentials_not_stored' });
    }
    this.#socket.send({ t: 'stored' });
    this.#finish({ kind: 'linked', phoneNumber: number });
  }

  #finish(end: LinkEnd): void {
    this.#state = 'over';
    this.#socket.close();
    this.#resolve(end);
  }
}

/** The network's other reasons end only sessions. */
const LINK_FAILURES = [
  'network_unavailable',
  'replaced',
  'phone_not_on_network',
] as const satisfies readonly LinkFailure[];

function endOf(reason: NetworkFrameOf<'end'>['reason']): LinkEnd {
  if (reason === 'expired') return { kind: 'expired' };
  return { kind: 'failed', reason: LINK_FAILURES.find((failure) => failure === reason) ?? 'protocol_error' };
}
