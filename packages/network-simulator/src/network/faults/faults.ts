/**
 * The faults that tests can inject. Some wait for a message, a receipt or a login that they match. The others happen to
 * devices at once, or after `after_ms`.
 */
import { z } from 'zod';
import { deviceId, phoneNumber, refusalReason } from '../../protocol/frames.js';

const A_DAY_MS = 86_400_000;
const milliseconds = z.number().int().min(0).max(A_DAY_MS);
const unixTimeMs = z.number().int().min(0);
const delayed = { after_ms: milliseconds.default(0) };
const onLogin = {
  ...delayed,
  device_id: deviceId.optional(),
  count: z.number().int().min(1).max(1_000_000).default(1),
};
const onMessage = { ...onLogin, recipient: phoneNumber.optional() };
const onDevice = { ...delayed, device_id: deviceId };
const onDevices = { ...delayed, device_id: deviceId.optional() };

const waitingFault = z.discriminatedUnion('kind', [
  z.strictObject({ kind: z.literal('ack_late'), ...onMessage, delay_ms: milliseconds }),
  z.strictObject({ kind: z.literal('ack_lost'), ...onMessage }),
  z.strictObject({
    kind: z.literal('ack_negative'),
    ...onMessage,
    reason: refusalReason.default('rejected_by_network'),
    permanent: z.boolean().default(false),
    retry_after_ms: milliseconds.default(1_000),
  }),
  z.strictObject({ kind: z.literal('swallow'), ...onMessage }),
  z.strictObject({ kind: z.literal('reset_before_take'), ...onMessage }),
  z.strictObject({ kind: z.literal('reset_after_take'), ...onMessage }),
  z.strictObject({ kind: z.literal('receipt_lost'), ...onMessage }),
  z.strictObject({ kind: z.literal('receipt_duplicate'), ...onMessage }),
  z.strictObject({
    kind: z.literal('refuse_login'),
    ...onLogin,
    reason: z
      .enum([
        'network_unavailable',
        'restart_required',
        'replaced',
        'logged_out',
        'banned',
        'temporarily_banned',
        'credentials_invalid',
      ])
      .default('network_unavailable'),
    until_ms: unixTimeMs.optional(),
  }),
]);

const deviceFault = z.discriminatedUnion('kind', [
  z.strictObject({ kind: z.literal('ban'), ...onDevice }),
  z.strictObject({ kind: z.literal('temporary_ban'), ...onDevice, until_ms: unixTimeMs }),
  z.strictObject({ kind: z.literal('lift_ban'), ...onDevice }),
  z.strictObject({ kind: z.literal('logout'), ...onDevice }),
  z.strictObject({ kind: z.literal('conflict'), ...onDevices }),
  z.strictObject({ kind: z.literal('restart'), ...onDevices }),
]);

export const fault = z.discriminatedUnion('kind', [waitingFault, deviceFault]);

export type Fault = z.infer<typeof fault>;
export type WaitingFault = z.infer<typeof waitingFault>;
export type DeviceFault = z.infer<typeof deviceFault>;
type WaitingFaultOf<K extends WaitingFault['kind']> = Extract<WaitingFault, { kind: K }>;
export type ReceiptFault = WaitingFaultOf<'receipt_lost' | 'receipt_duplicate'>;
export type LoginFault = WaitingFaultOf<'refuse_login'>;
export type MessageFault = Exclude<WaitingFault, ReceiptFault | LoginFault>;

export function isReceiptFault(waiting: WaitingFault): waiting is ReceiptFault {
  return waiting.kind === 'receipt_lost' || waiting.kind === 'receipt_duplicate';
}

export function isLoginFault(waiting: WaitingFault): waiting is LoginFault {
  return waiting.kind === 'refuse_login';
}

export function isMessageFault(waiting: WaitingFault): waiting is MessageFault {
  return !isReceiptFault(waiting) && !isLoginFault(waiting);
}

const deviceFaultKinds: ReadonlySet<string> = new Set(deviceFault.options.map((option) => option.shape.kind.value));

export function isDeviceFault(asked: Fault): asked is DeviceFault {
  return deviceFaultKinds.has(asked.kind);
}
