export type { DriverLog } from './driver-log.js';
export {
  builtInVersion,
  fetchWebVersion,
  isNewerVersion,
  isWebVersion,
  versionUrlOf,
  type WebVersion,
  type WebVersionOptions,
} from './web-version.js';
export { createWhatsappDriver, type WhatsappDriverOptions } from './whatsapp-driver.js';
