export type { DriverLog } from './driver-log.js';
export { createWhatsappDriver, type WhatsappDriverOptions } from './whatsapp-driver.js';
