/**
 * The browser that the driver appears as. WhatsApp refuses pairing codes for names that no real browser has
 * (WhiskeySockets/Baileys #2769).
 */
import { Browsers } from 'baileys';

export const BROWSER = Browsers.windows('Chrome');
