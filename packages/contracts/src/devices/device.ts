import { z } from 'zod';
import { deviceId } from '../fields/id-fields.js';
import { timestamp } from '../fields/timestamp.js';
import { deviceActivity } from './device-activity.js';
import { newContactsPolicies } from './device-requests.js';
import { deviceStates } from './device-states.js';
import { linkFailures } from './link-failures.js';
import { newContacts } from './new-contacts.js';

const linkFailureList = Object.entries(linkFailures)
  .map(([word, sentence]) => `\n- \`${word}\`: ${sentence}`)
  .join('');

export const device = z
  .object({
    device_id: deviceId,
    name: z.string(),
    network: z.string().meta({ example: 'whatsapp' }),
    state: z.enum(deviceStates),
    state_reason: z
      .string()
      .nullable()
      .meta({ description: 'Why it is in this state, where there is more to say.', example: 'temporarily_banned' }),
    state_detail: z
      .string()
      .nullable()
      .meta({
        description: `The network's own reason, where it gives one, or the version of its client that it refused. After \`link_failed\` why linking failed:\n${linkFailureList}`,
        example: 'wrote_to_too_many_strangers',
      }),
    state_advice: z
      .string()
      .nullable()
      .meta({ description: 'What the reason means, and what a person can do about it.' }),
    state_until: timestamp.nullable().meta({ description: 'Where it waits: when it connects again by itself.' }),
    phone_number: z.string().nullable().meta({ description: 'Of the linked account, digits with country code.' }),
    pairing: z
      .object({ code: z.string(), valid_until: timestamp })
      .nullable()
      .meta({ description: 'While it is being linked: the newest code to show as a QR or to type. It changes.' }),
    settings: z.object({
      pace_per_minute: z.int().nullable(),
      pace_jitter_ms: z.int(),
      typing_ms: z.int(),
      new_contacts_policy: z.enum(newContactsPolicies),
      new_contacts_per_day: z.int().nullable().meta({
        description:
          'The limit of the policy `fixed`; null: no limit. With `automatic` it is what the device falls back to; today’s limit is `new_contacts.allowance`.',
      }),
      proxy: z.string().nullable().meta({
        description: 'Without its password. `unreadable`: it cannot be decrypted; set it anew.',
        example: 'socks5://user@proxy.example.com:1080',
      }),
    }),
    new_contacts: newContacts,
    created_at: timestamp,
    activity: deviceActivity.optional().meta({ description: 'Only in a list that was asked to include it.' }),
  })
  .meta({ id: 'Device' });
