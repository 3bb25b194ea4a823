/** What several answers are made of, the signed api's and the dashboard's alike. */
import { z } from 'zod';
import { newContactsPolicies } from './device-requests.js';
import { linkFailures } from './link-failures.js';
import {
  deviceStates,
  messagePriorities,
  type MessageReason,
  messageReasons,
  messageStatuses,
  renewalStates,
  type WaitingReason,
  waitingReasons,
} from './message-status.js';

export const timestamp = z.iso.datetime({ precision: 3 }).meta({ example: '2026-11-21T09:00:00.000Z' });
export const jobId = z
  .string()
  .meta({ description: 'Id of the accepted message.', example: 'msg_01kajp4m3s5y8zt0v6qk2c9hbe' });
export const deviceId = z.string().meta({ example: 'dev_01kajp4m3s5y8zt0v6qk2c9hbe' });
const linkFailureList = Object.entries(linkFailures)
  .map(([word, sentence]) => `\n- \`${word}\`: ${sentence}`)
  .join('');

const newContacts = z.object({
  waiting: z
    .object({
      reason: z.string().meta({
        description:
          "`daily_limit` is the device's own allowance; `second_warning` is a second warning of the network; anything else is what the network says.",
        example: 'daily_limit',
      }),
      until: timestamp
        .nullable()
        .meta({ description: 'When they go out by themselves; null: once a setting changes.' }),
    })
    .nullable()
    .meta({
      description:
        'Set while messages to people whom the device neither wrote to nor heard from wait. Messages to anybody else go out.',
    }),
  allowance: z
    .int()
    .nullable()
    .meta({ description: 'How many new contacts it may write to within 24 hours, as it stands now; null: no limit.' }),
  used_today: z
    .int()
    .meta({ description: 'New contacts written to within 24 hours; they count against the allowance.' }),
  left: z
    .int()
    .nullable()
    .meta({ description: 'How many more new contacts a message of any priority may go to now; null: no limit.' }),
  left_for_codes: z.int().nullable().meta({
    description:
      'How many more new contacts a message of priority `otp` may go to now: it may use what is kept for codes, too.',
  }),
  paused_until: timestamp.nullable().meta({
    description:
      'With the policy `automatic`, between two new contacts: when the next may be written to. Codes do not wait.',
  }),
  warning: z.enum(['first', 'second']).nullable().meta({
    description:
      'The network warns that the account writes to many new contacts. The automatic allowance is halved by a first warning, and nothing after a second.',
  }),
  advice: z
    .string()
    .nullable()
    .meta({ description: 'What a limit that is looser than the automatic one risks; null where it is not.' }),
  network_quota: z
    .object({ used: z.int(), total: z.int(), resets_at: timestamp.nullable() })
    .nullable()
    .meta({ description: 'New chats as the network counts them, where it does.' }),
});

export const deviceHealths = ['well', 'slowed', 'restricted', 'down'] as const;

export const backlog = z
  .object({
    otp: z.int(),
    normal: z.int(),
    bulk: z.int(),
    scheduled: z.int().meta({ description: 'Those whose `send_at` lies ahead.' }),
  })
  .meta({ description: 'Messages that wait to be sent. Each number counts up to 100,000.' });

/** What a list of devices shows of each besides, when it is asked to. */
export const deviceActivity = z
  .object({
    linked: z.boolean(),
    state_since: timestamp,
    last_connected_at: timestamp.nullable(),
    pairing_method: z
      .enum(['qr', 'pairing_code'])
      .nullable()
      .meta({ description: 'How it is being linked; null while it is not.' }),
    backlog,
    health: z.object({
      level: z.enum(deviceHealths).meta({
        description:
          '`down`: it should be connected and is not. `restricted`: messages to new contacts wait. `slowed`: one in ten or more of its newest messages failed or got no answer, or the network warned. Else `well`.',
      }),
      sent: z.int().meta({
        description: "How many of the account's newest 5,000 messages of the last 24 hours this device sent.",
      }),
      failed: z.int(),
      unknown: z.int(),
    }),
  })
  .meta({ id: 'DeviceActivity' });

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
export const quotaText = z.string().meta({ description: 'Numeric text, or `Unlimited`.', example: '1000' });

export const shownStatus = z.enum([...messageStatuses, 'scheduled']);

// The record has exactly these keys.
const waitingWords = Object.keys(waitingReasons) as [WaitingReason, ...WaitingReason[]];

const waiting = z
  .object({
    reason: z.enum(waitingWords).meta({
      description: waitingWords.map((word) => `\`${word}\`: ${waitingReasons[word]}`).join(' '),
    }),
    until: timestamp.nullable().meta({ description: 'When it goes on by itself; null: nobody knows.' }),
  })
  .nullable()
  .meta({
    description: 'What holds it back longest; null where none of these does: it waits for its turn, or no more.',
  });

// The record has exactly these keys.
const reasonWords = Object.keys(messageReasons) as [MessageReason, ...MessageReason[]];

const reason = z
  .enum(reasonWords)
  .nullable()
  .meta({
    description: `Why it failed, waits or is unknown. ${reasonWords.map((word) => `\`${word}\`: ${messageReasons[word]}`).join(' ')}`,
  });

export const timelineEntry = z.object({
  status: shownStatus,
  reason: reason.meta({ description: 'Why it came to this status, where there is a reason.' }),
  at: timestamp,
});

export const renewal = z
  .object({
    renewal_id: z.string(),
    plan: z.string(),
    duration_days: z.int(),
    price: z.int().meta({ description: 'Rupiah.' }),
    quota: z.int().nullable(),
    method: z.string(),
    state: z.enum(renewalStates),
    payment_url: z.string(),
    created_at: timestamp,
    expires_at: timestamp,
    paid_at: timestamp.nullable(),
  })
  .meta({ id: 'Renewal' });

export const job = z
  .object({
    job_id: jobId,
    status: shownStatus,
    reason,
    network_message_id: z.string().nullable(),
    device_id: deviceId,
    phone_destination: z.string(),
    priority: z.enum(messagePriorities),
    client_ref: z.string().nullable(),
    send_at: timestamp.nullable(),
    expires_at: timestamp.nullable(),
    created_at: timestamp,
    waiting,
  })
  .meta({ id: 'Job' });

/** No U+0000 and nothing long: what is compared with stored text must be text that could be stored. */
export const plainText = z.string().regex(/^[\x21-\x7e]{1,64}$/, 'must be 1 to 64 plain characters');
