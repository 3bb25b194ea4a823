import type { DeviceId } from '@kurir/contracts';

/**
 * Proves that a worker holds a device. Each write of the worker carries the token, and a statement compares it with the lease:
 * after another worker took the device, the epoch has changed and the write changes nothing.
 */
export type LeaseToken = { readonly deviceId: DeviceId; readonly owner: string; readonly epoch: bigint };
