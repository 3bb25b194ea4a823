import { z } from 'zod';
import { phoneDestination } from '../fields/phone-destination.js';

export const presenceRequest = z
  .strictObject({ action: z.enum(['start', 'stop']), phone_destination: phoneDestination })
  .meta({ id: 'PresenceRequest' })
  .transform((body) => ({ action: body.action, recipient: body.phone_destination }));
