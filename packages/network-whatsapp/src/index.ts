export type { DriverLog } from './socket/driver-log.js';
export {
  builtInVersion,
  fetchWebVersion,
  isNewerVersion,
  isWebVersion,
  versionUrlOf,
  type WebVersion,
  type WebVersionOptions,
} from './socket/web-version.js';
export { createWhatsappDriver, type WhatsappDriverOptions } from './whatsapp-driver.js';
