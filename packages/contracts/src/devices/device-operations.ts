/** The operations of devices. */
import { z } from 'zod';
import { deviceId } from '../fields/id-fields.js';
import { timestamp } from '../fields/timestamp.js';
import { limits } from '../http/limits.js';
import type { PublicOperation } from '../http/operation-entry.js';
import { device } from './device.js';
import { createDeviceRequest, linkDeviceRequest, updateDeviceRequest } from './device-requests.js';
import { deviceStates } from './device-states.js';

const devicesQuery = z
  .object({
    device_id: deviceId
      .optional()
      .meta({ description: 'Only this device. The answer is 404 if the account does not have it.' }),
    include: z.literal('activity').optional().meta({
      description: '`activity`: each device also shows how many messages wait and how well it sends.',
    }),
  })
  .transform((query) => ({ deviceId: query.device_id ?? null, withActivity: query.include === 'activity' }));

/** Programs use these with a key, and people unless `access` is null. */
export const deviceOperations = {
  createDevice: {
    method: 'POST',
    path: '/api/v1/devices',
    summary:
      'Create a device. Link it to a messaging account afterwards. A repeated client_ref creates no second device.',
    scope: 'devices:write',
    access: 'developer',
    audit: { whose: 'all', actions: ['device.created'] },
    device: false,
    repeat: 'refuse',
    maxBodyBytes: limits.bodyMaxBytes,
    body: createDeviceRequest,
    query: null,
    data: device.pick({ device_id: true, state: true, created_at: true, name: true, network: true }),
    message: 'Device created',
    errors: [
      'MALFORMED_REQUEST',
      'DEVICE_LIMIT_REACHED',
      'REPLAYED_REQUEST',
      'PAYLOAD_TOO_LARGE',
      'UNSUPPORTED_MEDIA_TYPE',
      'INVALID_REQUEST',
      'IDEMPOTENCY_KEY_REUSED',
      'SERVICE_UNAVAILABLE',
    ],
  },
  updateDevice: {
    method: 'PATCH',
    path: '/api/v1/devices',
    summary:
      'Change the name, the sending limits or the proxy of a device. A field that you leave out stays as it is. The change takes effect at once.',
    scope: 'devices:write',
    access: 'developer',
    audit: { whose: 'all', actions: ['device.changed'] },
    device: true,
    repeat: 'refuse',
    maxBodyBytes: limits.bodyMaxBytes,
    body: updateDeviceRequest,
    query: null,
    data: device,
    message: 'Device changed',
    errors: [
      'MALFORMED_REQUEST',
      'DEVICE_NOT_FOUND',
      'REPLAYED_REQUEST',
      'PAYLOAD_TOO_LARGE',
      'UNSUPPORTED_MEDIA_TYPE',
      'INVALID_REQUEST',
      'SERVICE_UNAVAILABLE',
    ],
  },
  listDevices: {
    method: 'GET',
    path: '/api/v1/devices',
    summary: 'List the devices, oldest first. A device that is being linked shows the code to scan or type.',
    scope: 'devices:read',
    access: 'viewer',
    audit: null,
    device: false,
    repeat: 'harmless',
    maxBodyBytes: limits.bodyMaxBytes,
    body: null,
    query: devicesQuery,
    data: z.object({
      devices: z.array(device),
      max_devices: z.int().meta({ description: 'How many devices the account may have.' }),
    }),
    message: 'Devices listed',
    errors: ['INVALID_REQUEST', 'DEVICE_NOT_FOUND', 'SERVICE_UNAVAILABLE'],
  },
  linkDevice: {
    method: 'POST',
    path: '/api/v1/devices/link',
    summary:
      'Start linking a device. Its code appears in the list of devices shortly afterwards. It changes until a phone uses it.',
    scope: 'devices:write',
    access: 'developer',
    audit: { whose: 'all', actions: ['device.link_requested'] },
    device: true,
    repeat: 'refuse',
    maxBodyBytes: limits.bodyMaxBytes,
    body: linkDeviceRequest,
    query: null,
    data: z.object({ device_id: deviceId, state: z.literal('pairing') }),
    message: 'Linking started',
    errors: [
      'MALFORMED_REQUEST',
      'DEVICE_NOT_FOUND',
      'DEVICE_LIMIT_REACHED',
      'DEVICE_ALREADY_LINKED',
      'REPLAYED_REQUEST',
      'PAYLOAD_TOO_LARGE',
      'UNSUPPORTED_MEDIA_TYPE',
      'INVALID_REQUEST',
      'INVALID_PHONE_NUMBER',
      'SERVICE_UNAVAILABLE',
    ],
  },
  cancelLink: {
    method: 'POST',
    path: '/api/v1/devices/link/cancel',
    summary:
      'Stop linking a device and hide its code. If a phone uses the code at the same moment, Kurir unlinks it again.',
    scope: 'devices:write',
    access: 'developer',
    audit: { whose: 'all', actions: ['device.link_cancelled'] },
    device: true,
    repeat: 'refuse',
    maxBodyBytes: limits.bodyMaxBytes,
    body: null,
    query: null,
    data: z.object({ device_id: deviceId, state: z.literal('disconnected') }),
    message: 'Linking cancelled',
    errors: ['DEVICE_NOT_FOUND', 'DEVICE_NOT_PAIRING', 'REPLAYED_REQUEST', 'SERVICE_UNAVAILABLE'],
  },
  reconnectDevice: {
    method: 'POST',
    path: '/api/v1/devices/reconnect',
    summary:
      'Connect a contested device again. Kurir stopped connecting it because another program used its credentials. For any other linked device this changes nothing.',
    scope: 'devices:write',
    access: 'developer',
    audit: { whose: 'all', actions: ['device.reconnect_requested'] },
    device: true,
    repeat: 'refuse',
    maxBodyBytes: limits.bodyMaxBytes,
    body: null,
    query: null,
    data: z.object({ device_id: deviceId, state: z.enum(deviceStates) }),
    message: 'Device reconnects',
    errors: ['DEVICE_NOT_FOUND', 'DEVICE_NOT_LINKED', 'REPLAYED_REQUEST', 'SERVICE_UNAVAILABLE'],
  },
  disconnectDevice: {
    method: 'POST',
    path: '/api/v1/devices/disconnect',
    summary: 'Unlink the messaging account. Kurir logs out at the network and erases the session keys.',
    scope: 'devices:disconnect',
    access: 'developer',
    audit: { whose: 'all', actions: ['device.unlink_requested'] },
    device: true,
    repeat: 'refuse',
    maxBodyBytes: limits.bodyMaxBytes,
    body: null,
    query: null,
    data: z.object({ device_id: deviceId }),
    message: 'Device disconnected',
    errors: ['DEVICE_NOT_FOUND', 'DEVICE_NOT_LINKED', 'REPLAYED_REQUEST', 'SERVICE_UNAVAILABLE', 'DEVICE_TIMEOUT'],
  },
  deviceInfo: {
    method: 'GET',
    path: '/api/v1/devices/info',
    summary: 'Look up the state of a device.',
    scope: 'devices:read',
    access: 'viewer',
    audit: null,
    device: true,
    repeat: 'harmless',
    maxBodyBytes: limits.bodyMaxBytes,
    body: null,
    query: null,
    data: z.object({ device_id: deviceId, state: z.enum(deviceStates), created_at: timestamp }),
    message: 'Device found',
    errors: ['DEVICE_NOT_FOUND', 'SERVICE_UNAVAILABLE'],
  },
} as const satisfies Record<string, PublicOperation>;
