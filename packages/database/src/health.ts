/** The exports for the health of devices. */
export { countDeviceDays } from './devices/health/count-device-days.js';
export { type DeviceHealth, type HealthDay, readDeviceHealth } from './devices/health/read-health.js';
