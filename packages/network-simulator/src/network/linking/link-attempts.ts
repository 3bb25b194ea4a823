/**
 * The attempts to link a device. Each waits for a phone. A QR text changes every round, a pairing code stays. After the
 * last round the attempt expires. A phone's scan links the device at once; a device that cannot store its token sends
 * `unlink`. A device has one attempt: a second one ends the first.
 */
import { randomBytes, randomInt } from 'node:crypto';
import type { DeviceFrame, FrameOf } from '../../protocol/frames.js';
import type { Exchange } from '../exchange/exchange.js';
import type { Wire } from '../exchange/wire.js';
import type { LinkedDevice } from '../people/linked-devices.js';

/** As in WhatsApp, without letters and digits that look like others. */
const PAIRING_ALPHABET = '123456789ABCDEFGHJKLMNPQRSTVWXYZ';
const PAIRING_CODE_LENGTH = 8;

export type LinkingTimes = { readonly codeLifetimeMs: number; readonly codeRounds: number };

type Attempt = {
  readonly deviceId: string;
  readonly wire: Wire;
  readonly phone: string | null;
  /** The newest code first. The one before it still counts, because somebody may be scanning it. */
  codes: readonly string[];
  timer?: NodeJS.Timeout;
  linked?: LinkedDevice;
};

export class LinkAttempts {
  readonly #exchange: Exchange;
  readonly #times: LinkingTimes;
  readonly #attempts = new Map<string, Attempt>();

  constructor(exchange: Exchange, times: LinkingTimes) {
    this.#exchange = exchange;
    this.#times = times;
  }

  open(wire: Wire, frame: FrameOf<'link'>): void {
    const phone = frame.method === 'pairing_code' ? frame.phone : null;
    if (phone === undefined) return wire.end('protocol_error');
    if (phone !== null && !this.#exchange.state.phones.exists(phone)) return wire.end('phone_not_on_network');
    this.#attempts.get(frame.device)?.wire.end('replaced');
    const attempt: Attempt = { deviceId: frame.device, wire, phone, codes: [] };
    this.#attempts.set(frame.device, attempt);
    wire.listen({ frame: (said) => this.#onFrame(attempt, said), closed: () => this.#drop(attempt) });
    if (phone === null) this.#showQr(attempt, this.#times.codeRounds);
    else this.#showPairingCode(attempt);
  }

  /** Links the device that shows this QR text. Returns its id, or null when no device shows the text. */
  scan(number: string, code: string): string | null {
    return this.#link(number, (attempt) => attempt.phone === null && attempt.codes.includes(code));
  }

  /** Links the device that shows this pairing code. Ignores case and dashes. */
  pair(number: string, code: string): string | null {
    const typed = code.replaceAll('-', '').toUpperCase();
    return this.#link(number, (attempt) => attempt.phone === number && attempt.codes.includes(typed));
  }

  close(): void {
    for (const attempt of this.#attempts.values()) this.#drop(attempt);
  }

  #link(number: string, isAsked: (attempt: Attempt) => boolean): string | null {
    const attempt = [...this.#attempts.values()].find(isAsked);
    if (!attempt) return null;
    this.#drop(attempt);
    const { device, token } = this.#exchange.link(attempt.deviceId, number);
    attempt.linked = device;
    attempt.wire.send({ t: 'linked', number, token });
    return attempt.deviceId;
  }

  #onFrame({ deviceId, linked, wire }: Attempt, frame: DeviceFrame): void {
    if (linked && frame.t === 'stored') return;
    if (!linked || frame.t !== 'unlink') return wire.end('protocol_error');
    // Another attempt may have linked the device again since then; that link stays.
    if (this.#exchange.state.devices.get(deviceId) === linked) this.#exchange.unlink(deviceId, 'not_stored');
  }

  #showQr(attempt: Attempt, roundsLeft: number): void {
    if (roundsLeft === 0) return attempt.wire.end('expired');
    const { codeLifetimeMs } = this.#times;
    const code = `kurir-sim:${randomBytes(12).toString('base64url')}`;
    attempt.codes = [code, ...attempt.codes].slice(0, 2);
    attempt.wire.send({ t: 'code', code, valid_ms: codeLifetimeMs });
    attempt.timer = setTimeout(() => this.#showQr(attempt, roundsLeft - 1), codeLifetimeMs);
  }

  #showPairingCode(attempt: Attempt): void {
    const lifetimeMs = this.#times.codeLifetimeMs * this.#times.codeRounds;
    const letters = Array.from(
      { length: PAIRING_CODE_LENGTH },
      () => PAIRING_ALPHABET[randomInt(PAIRING_ALPHABET.length)],
    );
    const code = letters.join('');
    attempt.codes = [code];
    attempt.wire.send({ t: 'code', code, valid_ms: lifetimeMs });
    attempt.timer = setTimeout(() => attempt.wire.end('expired'), lifetimeMs);
  }

  #drop(attempt: Attempt): void {
    clearTimeout(attempt.timer);
    if (this.#attempts.get(attempt.deviceId) === attempt) this.#attempts.delete(attempt.deviceId);
  }
}
