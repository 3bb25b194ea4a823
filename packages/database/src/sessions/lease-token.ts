import type { DeviceId } from '@kurir/contracts';

/**
 * Proves that a worker holds a device. Each write of the worker carries the token, and its statement compares the token
 * with the lease. If another worker has taken the device, the epoch has changed and the write does nothing.
 */
export type LeaseToken = { readonly deviceId: DeviceId; readonly owner: string; readonly epoch: bigint };
