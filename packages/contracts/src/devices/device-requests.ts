/** The bodies of `createDevice`, `updateDevice` and `linkDevice`. */
import { z } from 'zod';
import { brokenRule } from '../http/field-rules.js';
import { limits } from '../http/limits.js';
import { defaultNetwork, networkNames, pairingMethods } from './networks.js';
import { proxyAddress } from './proxy-address.js';
import { clientRef } from '../fields/client-ref.js';
import { phoneDestination } from '../fields/phone-destination.js';
import { isStorableText, notStorable } from '../fields/storable-text.js';

export const groupPolicies = ['none', 'all'] as const;
export const newContactsPolicies = ['automatic', 'fixed', 'unlimited'] as const;

const deviceName = z
  .string()
  .min(1, 'must not be empty')
  .max(limits.deviceNameMaxLength)
  .refine(isStorableText, notStorable)
  .meta({ description: 'A name by which people tell devices apart.', example: 'Shop' });

/** The settings of a device: how it protects its account from the network, and its proxy. */
const settings = {
  pace_per_minute: z
    .int()
    .min(1)
    .max(limits.paceMaxPerMinute)
    .nullable()
    .optional()
    .meta({ description: 'The most messages per minute. Null: no limit. A new WhatsApp device has 20.' }),
  pace_jitter_ms: z.int().min(0).max(limits.jitterMaxMs).optional().meta({
    description:
      'Each message waits for a random time up to this, in milliseconds. The average pace stays the same. A new WhatsApp device has 2000.',
  }),
  typing_ms: z.int().min(0).max(limits.typingMaxMs).optional().meta({
    description: 'How long the recipient sees the device typing before each text, in milliseconds. 0: not at all.',
  }),
  new_contacts_policy: z.enum(newContactsPolicies).optional().meta({
    description:
      'How Kurir limits the new contacts that the device may write to within 24 hours. A new contact is somebody whom the device has neither written to nor heard from. Messages to further new contacts wait. `automatic`: the limit starts low and grows with each day without a restriction or a warning of the network. The device pauses between two new contacts, and a fifth of the limit is kept for one-time codes. `fixed`: the limit is `new_contacts_per_day`. `unlimited`: Kurir sets no limit. A new WhatsApp device is `automatic`. The network may restrict an account that writes to many new contacts.',
  }),
  new_contacts_per_day: z.int().min(0).max(limits.newContactsMaxPerDay).nullable().optional().meta({
    description:
      'The limit of the policy `fixed`: how many new contacts within 24 hours. Kurir ignores it with the policy `automatic`. Without a policy, a number means `fixed` and null means `unlimited`. There is one exception: an `automatic` device stays `automatic` if the request repeats the number that the device shows.',
  }),
  proxy: proxyAddress.nullable().optional(),
};

type Settings = z.output<z.ZodObject<typeof settings>>;

/**
 * The policy `fixed` needs a number, and `unlimited` takes none. `automatic` ignores it, so that a client can send back the
 * settings that it read.
 */
function wrongLimit({ new_contacts_policy: policy, new_contacts_per_day: perDay }: Settings): string | null {
  const isNumber = typeof perDay === 'number';
  if (policy === 'fixed' && !isNumber) return 'must be a number with new_contacts_policy fixed';
  return policy === 'unlimited' && isNumber ? 'must be left out with new_contacts_policy unlimited' : null;
}

function checkLimit(body: Settings, context: z.RefinementCtx): void {
  const message = wrongLimit(body);
  if (message !== null)
    context.addIssue({
      code: 'custom',
      path: ['new_contacts_per_day'],
      message,
      params: brokenRule(body.new_contacts_policy === 'fixed' ? 'required' : 'other'),
    });
}

function limitOf({ new_contacts_policy: policy, new_contacts_per_day: perDay }: Settings) {
  if (policy === 'automatic') return policy;
  return policy === 'unlimited' ? null : perDay;
}

/** A setting is undefined if the body leaves it out. */
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
      .meta({ description: `The default is ${defaultNetwork}.` }),
    client_ref: clientRef.optional().meta({
      description:
        'Your own id for this device. A repeated request with this id gets the first device_id and creates no second device.',
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
  .strictObject({
    name: deviceName.optional(),
    groups: z.enum(groupPolicies).optional().meta({
      description: 'Whether messages in groups arrive: `none` (default) or `all`. Kurir does not write to groups.',
    }),
    ...settings,
  })
  .refine((body) => Object.keys(body).length > 0, 'must name at least one thing to change')
  .superRefine(checkLimit)
  .meta({ id: 'UpdateDeviceRequest' })
  .transform((body) => ({
    name: body.name,
    groups: body.groups,
    ...settingsOf(body),
    isPolicySaid: body.new_contacts_per_day === undefined ? undefined : body.new_contacts_policy !== undefined,
  }));

/** The method `pairing_code` needs the number of the phone, and `qr` takes none. */
function wrongPhoneNumber(body: { method?: string | undefined; phone_number?: string | undefined }): string | null {
  const needed = body.method === 'pairing_code';
  if (needed === (body.phone_number !== undefined)) return null;
  return needed ? 'is required for the method pairing_code' : 'goes only with the method pairing_code';
}

export const linkDeviceRequest = z
  .strictObject({
    method: z.enum(pairingMethods).optional().meta({
      description: '`qr` (default): the phone scans a QR. `pairing_code`: a person types a code into the phone.',
    }),
    phone_number: phoneDestination.optional().meta({
      description:
        'The number of the phone: digits with country code. `pairing_code` requires it, and `qr` does not take it.',
    }),
  })
  .superRefine((body, context) => {
    const message = wrongPhoneNumber(body);
    if (message !== null) context.addIssue({ code: 'custom', path: ['phone_number'], message });
  })
  .meta({ id: 'LinkDeviceRequest' })
  .transform((body) => ({ method: body.method ?? ('qr' as const), phoneNumber: body.phone_number ?? null }));
