/** The bodies of creating and linking a device. */
import { z } from 'zod';
import { limits } from './limits.js';
import { phoneDestination } from './send-request.js';
import { isStorableText, notStorable } from './storable-text.js';

export const deviceNetworks = ['whatsapp', 'simulator'] as const;
export const pairingMethods = ['qr', 'pairing_code'] as const;

export const createDeviceRequest = z
  .strictObject({
    name: z
      .string()
      .min(1, 'must not be empty')
      .max(limits.deviceNameMaxLength)
      .refine(isStorableText, notStorable)
      .meta({ description: 'For people, to tell devices apart.', example: 'Shop' }),
    network: z.enum(deviceNetworks).optional().meta({ description: 'Default whatsapp.' }),
    pace_per_minute: z.int().min(1).max(limits.paceMaxPerMinute).nullable().optional().meta({
      description: 'Messages per minute at most. Default: what spares an account of the network, 20 on WhatsApp.',
    }),
  })
  .meta({ id: 'CreateDeviceRequest' })
  .transform((body) => ({
    name: body.name,
    network: body.network ?? ('whatsapp' as const),
    pacePerMinute: body.pace_per_minute ?? null,
  }));

/** The number goes with the code that is typed into its phone, and with nothing else. */
function wrongPhoneNumber(body: { method?: string | undefined; phone_number?: string | undefined }): string | null {
  const needed = body.method === 'pairing_code';
  if (needed === (body.phone_number !== undefined)) return null;
  return needed ? 'is required for the method pairing_code' : 'goes only with the method pairing_code';
}

export const linkDeviceRequest = z
  .strictObject({
    method: z.enum(pairingMethods).optional().meta({
      description: 'A QR that the phone scans (default), or a code that is typed into the phone.',
    }),
    phone_number: phoneDestination.optional().meta({
      description: 'The number of the phone, digits with country code: for pairing_code, which requires it.',
    }),
  })
  .superRefine((body, context) => {
    const message = wrongPhoneNumber(body);
    if (message !== null) context.addIssue({ code: 'custom', path: ['phone_number'], message });
  })
  .meta({ id: 'LinkDeviceRequest' })
  .transform((body) => ({ method: body.method ?? ('qr' as const), phoneNumber: body.phone_number ?? null }));
