import { z } from 'zod';
import { deviceId } from '../fields/id-fields.js';
import { timestamp } from '../fields/timestamp.js';
import { deviceActivity } from './device-activity.js';
import { healthWord } from './device-health.js';
import { groupPolicies, newContactsPolicies } from './device-requests.js';
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
      .meta({ description: 'The reason for the state. Null: there is no more to say.', example: 'temporarily_banned' }),
    state_detail: z
      .string()
      .nullable()
      .meta({
        description: `The network's own reason, or the version of its client that the network refused. After \`link_failed\`: why linking failed.\n${linkFailureList}`,
        example: 'wrote_to_too_many_strangers',
      }),
    state_advice: z
      .string()
      .nullable()
      .meta({ description: 'A sentence that explains the reason and says what a person can do.' }),
    state_until: timestamp
      .nullable()
      .meta({ description: 'When the device connects again by itself. Null: no time is set.' }),
    phone_number: z
      .string()
      .nullable()
      .meta({ description: 'The phone number of the linked account: digits with country code.' }),
    pairing: z
      .object({ code: z.string(), valid_until: timestamp })
      .nullable()
      .meta({
        description:
          'Set while the device is being linked: the newest code, to show as a QR or to type. The code changes. ' +
          'Null for a key without the scope devices:write, and for a person who may only look.',
      }),
    settings: z.object({
      pace_per_minute: z.int().nullable(),
      pace_jitter_ms: z.int(),
      typing_ms: z.int(),
      groups: z.enum(groupPolicies),
      new_contacts_policy: z.enum(newContactsPolicies),
      new_contacts_per_day: z.int().nullable().meta({
        description:
          'The limit of the policy `fixed`. Null: no limit. With the policy `automatic` it is only a fallback; the present limit is `new_contacts.allowance`.',
      }),
      proxy: z.string().nullable().meta({
        description:
          'The address of the proxy, without its password. `unreadable`: Kurir cannot decrypt it; set it again.',
        example: 'socks5://user@proxy.example.com:1080',
      }),
    }),
    new_contacts: newContacts,
    health: healthWord,
    created_at: timestamp,
    activity: deviceActivity
      .optional()
      .meta({ description: 'Present only in a list whose request asked to include it.' }),
  })
  .meta({ id: 'Device' });
