/** Messages of people as programs see them: in events and in conversations. */
import { z } from 'zod';
import { type InboundContent, type InboundMedia, inboundTypes, textOf } from './inbound-content.js';
import type { Person } from './inbound-report.js';

export const conversationId = z
  .string()
  .meta({ description: 'The id of the conversation.', example: 'cnv_01kajp4m3s5y8zt0v6qk2c9hbe' });
export const inboundId = z
  .string()
  .meta({ description: 'The id of the inbound message.', example: 'inb_01kajp4m3s5y8zt0v6qk2c9hbe' });

export const shownPerson = z
  .object({
    phone: z.string().nullable().meta({ description: 'Null: the network hides the number, or it is erased.' }),
    user_id: z.string().nullable().meta({ description: "The network's id of the person. Null: erased." }),
    username: z.string().nullable(),
    name: z.string().nullable().meta({ description: 'The name that the person shows.' }),
  })
  .meta({ id: 'Person' });

const media = z
  .object({
    mime_type: z.string().nullable(),
    size: z.int().nullable().meta({ description: 'The size in bytes.' }),
    file_name: z.string().nullable(),
    sha256: z.string().nullable(),
    seconds: z.number().nullable(),
    width: z.int().nullable(),
    height: z.int().nullable(),
  })
  .meta({ id: 'InboundMedia' });

const place = z
  .object({
    latitude: z.number(),
    longitude: z.number(),
    name: z.string().nullable(),
    address: z.string().nullable(),
    live: z.boolean().meta({ description: 'The position moves. This is the first one.' }),
  })
  .meta({ id: 'InboundLocation' });

/** The fields of a content. Those of other types are null, and all are null when the content is erased. */
export const shownContent = {
  type: z.enum(inboundTypes).meta({ description: '`unsupported`: `raw_type` has the word of the network.' }),
  text: z.string().nullable().meta({ description: 'The text or the caption. Null: it has none, or it is erased.' }),
  media: media
    .nullable()
    .meta({ description: 'The facts that the network gives about the file. Kurir does not fetch it yet.' }),
  location: place.nullable(),
  contacts: z.array(z.object({ name: z.string().nullable(), phones: z.array(z.string()) })).nullable(),
  poll: z.object({ question: z.string(), options: z.array(z.string()), choices: z.int() }).nullable(),
  raw_type: z.string().nullable(),
};

export type ShownContent = { [K in keyof typeof shownContent]: z.output<(typeof shownContent)[K]> };

const showMedia = ({ mimeType, sizeBytes, fileName, sha256, seconds, width, height }: InboundMedia) => ({
  mime_type: mimeType,
  size: sizeBytes,
  file_name: fileName,
  sha256,
  seconds,
  width,
  height,
});

/** `content` is null when it is erased. */
export function showContent(type: ShownContent['type'], content: InboundContent | null): ShownContent {
  const file = content !== null && 'media' in content ? showMedia(content.media) : null;
  const location = content?.type === 'location' ? content.location : null;
  const contacts = content?.type === 'contacts' ? content.contacts : null;
  const poll = content?.type === 'poll' ? content.poll : null;
  return {
    type,
    text: content === null ? null : textOf(content),
    media: file,
    location,
    contacts: contacts?.map(({ name, phones }) => ({ name, phones: [...phones] })) ?? null,
    poll: poll === null ? null : { ...poll, options: [...poll.options] },
    raw_type: content?.type === 'unsupported' ? content.rawType : null,
  };
}

export const showPerson = ({
  phone,
  userId,
  username,
  name,
}: { readonly [K in keyof Person]: Person[K] | null }): z.output<typeof shownPerson> => ({
  phone,
  user_id: userId,
  username,
  name,
});
