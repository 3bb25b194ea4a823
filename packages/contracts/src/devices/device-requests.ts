/** The bodies of creating, changing and linking a device. */
import { z } from 'zod';
import { limits } from '../http/limits.js';
import { defaultNetwork, networkNames, pairingMethods } from './networks.js';
import { proxyAddress } from './proxy-address.js';
import { clientRef } from '../fields/client-ref.js';
import { phoneDestination } from '../fields/phone-destination.js';
import { isStorableText, notStorable } from '../fields/storable-text.js';

export const newContactsPolicies = ['automatic', 'fixed', 'unlimited'] as const;

const deviceName = z
  .string()
  .min(1, 'must not be empty')
  .max(limits.deviceNameMaxLength)
  .refine(isStorableText, notStorable)
  .meta({ description: 'For people, to tell devices apart.', example: 'Shop' });

/** What spares the account, and the way out. */
const settings = {
  pace_per_minute: z
    .int()
    .min(1)
    .max(limits.paceMaxPerMinute)
    .nullable()
    .optional()
    .meta({ description: 'Messages per minute at most; null: no pace. A new WhatsApp device has 20.' }),
  pace_jitter_ms: z.int().min(0).max(limits.jitterMaxMs).optional().meta({
    description:
      'Each message waits for a random time up to this, in milliseconds; the pace stays the average. A new WhatsApp device has 2000.',
  }),
  typing_ms: z
    .int()
    .min(0)
    .max(limits.typingMaxMs)
    .optional()
    .meta({ description: 'Milliseconds for which the recipient is shown typing before each text; 0: not.' }),
  new_contacts_policy: z.enum(newContactsPolicies).optional().meta({
    description:
      'How many new contacts, people never written to nor heard from, the device may write to within 24 hours; messages to more of them wait. `automatic`: few at first and more after each day without a restriction or a warning of the network, with a pause between two and a fifth kept for codes. `fixed`: new_contacts_per_day. `unlimited`: no limit of ours. A new WhatsApp device is `automatic`. The network may restrict an account that writes to many new contacts.',
  }),
  new_contacts_per_day: z.int().min(0).max(limits.newContactsMaxPerDay).nullable().optional().meta({
    description:
      'With the policy `fixed`: how many new contacts in 24 hours. Without a policy, a number means `fixed` and null `unlimited`, except that the number that an `automatic` device shows leaves it `automatic`. With the policy `automatic` it is ignored.',
  }),
  proxy: proxyAddress.nullable().optional(),
};

type Settings = z.output<z.ZodObject<typeof settings>>;

/** Only a fixed limit has a number, and it needs one. */
function wrongLimit({ new_contacts_policy: policy, new_contacts_per_day: perDay }: Settings): string | null {
  const isNumber = typeof perDay === 'number';
  if (policy === 'fixed' && !isNumber) return 'must be a number with new_contacts_policy fixed';
  return policy === 'unlimited' && isNumber ? 'must be left out with new_contacts_policy unlimited' : null;
}

function checkLimit(body: Settings, context: z.RefinementCtx): void {
  const message = wrongLimit(body);
  if (message !== null) context.addIssue({ code: 'custom', path: ['new_contacts_per_day'], message });
}

function limitOf({ new_contacts_policy: policy, new_contacts_per_day: perDay }: Settings) {
  if (policy === 'automatic') return policy;
  return policy === 'unlimited' ? null : perDay;
}

/** What is undefined was not said. */
function settingsOf(body: Settings) {
  return {
    pacePerMinute: body.pace_per_minute,
    paceJitterMs: body.pace_jitter_ms,
    typingMs: body.typing_ms,
    newContactsPerDay: limitOf(body),
    proxyUrl: body.proxy,
  };
}

export const createDeviceRequest = z
  .strictObject({
    name: deviceName,
    network: z
      .enum(networkNames)
      .optional()
      .meta({ description: `Default ${defaultNetwork}.` }),
    client_ref: clientRef.optional().meta({
      description: 'Your own id for this device: a repeat gets the first device_id and makes no second one.',
      example: 'shop-1',
    }),
    ...settings,
  })
  .superRefine(checkLimit)
  .meta({ id: 'CreateDeviceRequest' })
  .transform((body) => ({
    name: body.name,
    network: body.network ?? defaultNetwork,
    clientRef: body.client_ref ?? null,
    ...settingsOf(body),
  }));

export const updateDeviceRequest = z
  .strictObject({ name: deviceName.optional(), ...settings })
  .refine((body) => Object.keys(body).length > 0, 'must name at least one thing to change')
  .superRefine(checkLimit)
  .meta({ id: 'UpdateDeviceRequest' })
  .transform((body) => ({
    name: body.name,
    ...settingsOf(body),
    isPolicySaid: body.new_contacts_per_day === undefined ? undefined : body.new_contacts_policy !== undefined,
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
