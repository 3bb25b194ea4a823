/** What the driver appears as. Pairing codes are refused for names that no real browser has (WhiskeySockets/Baileys #2769). */
import { Browsers } from 'baileys';

export const BROWSER = Browsers.windows('Chrome');
