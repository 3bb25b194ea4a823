/**
 * The frames between a device (the driver) and the simulated network, as PROTOCOL.md describes them. Both ends parse
 * their input with these schemas. A frame that does not match ends the connection.
 */
import { z } from 'zod';
import { personReport } from './person-report.js';

export const PROTOCOL_VERSION = 2;
export const DEVICE_PATH = '/device';
export const MAX_FRAME_BYTES = 64 * 1024;

/** Digits with country code, no plus sign. */
export const phoneNumber = z.string().regex(/^[1-9][0-9]{6,14}$/, 'must be 7 to 15 digits, not starting with 0');

export const deviceId = z.string().min(1).max(100);
/** Allows more than a phone number: a send to an impossible recipient is refused, but does not end the connection. */
const recipient = z.string().min(1).max(40);
const messageId = z.string().regex(/^[A-Za-z0-9_-]{1,64}$/);
const epoch = z.string().regex(/^[0-9]{1,20}$/);

export const refusalReason = z.enum([
  'recipient_not_on_network',
  'recipient_unavailable',
  'rejected_by_network',
  'rate_limited_by_network',
  'new_contacts_restricted',
  'recipient_token_required',
  'recipient_address_refused',
  'temporarily_unavailable',
]);

export const endReason = z.enum([
  'restart_required',
  'network_unavailable',
  'replaced',
  'logged_out',
  'banned',
  'temporarily_banned',
  'credentials_invalid',
  'expired',
  'phone_not_on_network',
  'protocol_error',
]);

const deviceFrame = z.discriminatedUnion('t', [
  z.object({ t: z.literal('send'), id: messageId, to: recipient, text: z.string().min(1).max(20_000) }),
  z.object({ t: z.literal('settle'), n: z.number().int() }),
  z.object({ t: z.literal('typing'), to: recipient, action: z.enum(['start', 'stop']) }),
  z.object({ t: z.literal('read'), to: recipient, ids: z.array(messageId).min(1).max(500) }),
  z.object({ t: z.literal('logout') }),
  z.object({ t: z.literal('stored') }),
  z.object({ t: z.literal('unlink') }),
  z.object({ t: z.literal('login'), v: z.number().int(), device: deviceId, epoch, token: z.string().max(200) }),
  z.object({
    t: z.literal('link'),
    v: z.number().int(),
    device: deviceId,
    epoch,
    method: z.enum(['qr', 'pairing_code']),
    phone: phoneNumber.optional(),
  }),
]);

const networkFrame = z.discriminatedUnion('t', [
  z.object({ t: z.literal('ack'), id: messageId }),
  z.object({ t: z.literal('receipt'), n: z.number().int(), id: messageId, status: z.enum(['delivered', 'read']) }),
  z.object({
    t: z.literal('inbound'),
    n: z.number().int(),
    id: messageId,
    from: phoneNumber,
    text: z.string(),
    at: z.string(),
    report: personReport.optional(),
  }),
  z.object({
    t: z.literal('nack'),
    id: messageId,
    reason: refusalReason,
    permanent: z.boolean(),
    retry_after_ms: z.number().int().nonnegative().optional(),
  }),
  z.object({ t: z.literal('welcome'), number: phoneNumber }),
  z.object({ t: z.literal('code'), code: z.string().min(1).max(200), valid_ms: z.number().int().nonnegative() }),
  z.object({ t: z.literal('linked'), number: phoneNumber, token: z.string().min(1).max(200) }),
  z.object({ t: z.literal('end'), reason: endReason, until: z.number().int().optional() }),
]);

export type DeviceFrame = z.infer<typeof deviceFrame>;
export type NetworkFrame = z.infer<typeof networkFrame>;
export type FrameOf<T extends DeviceFrame['t']> = Extract<DeviceFrame, { t: T }>;
export type NetworkFrameOf<T extends NetworkFrame['t']> = Extract<NetworkFrame, { t: T }>;
export type EndReason = z.infer<typeof endReason>;
export type RefusalReason = z.infer<typeof refusalReason>;

/** Parses a frame of a device. Null when it is no frame of this protocol. */
export function parseDeviceFrame(data: string): DeviceFrame | null {
  return parseFrame(deviceFrame, data);
}

/** Parses a frame of the network. Null when it is no frame of this protocol. */
export function parseNetworkFrame(data: string): NetworkFrame | null {
  return parseFrame(networkFrame, data);
}

function parseFrame<Frame>(schema: z.ZodType<Frame>, data: string): Frame | null {
  let value: unknown;
  try {
    value = JSON.parse(data);
  } catch {
    // The input is no JSON, so it is no frame; the caller ends the connection.
    return null;
  }
  const parsed = schema.safeParse(value);
  return parsed.success ? parsed.data : null;
}
