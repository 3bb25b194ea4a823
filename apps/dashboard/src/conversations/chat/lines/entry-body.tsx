import {
  AudioLines,
  BarChart3,
  File,
  Image,
  type LucideIcon,
  MapPin,
  Mic,
  Sticker,
  UserRound,
  Video,
} from 'lucide-react';
import type { ReactNode } from 'react';
import { useTexts } from '../../../i18n/texts.js';
import type { Entry } from '../../conversation-queries.js';
import type { ShownEntry } from './chat-lines.js';
import { chatTexts } from '../../chat-texts.js';

const mediaIcons = { image: Image, video: Video, audio: AudioLines, voice: Mic, document: File, sticker: Sticker };

type MediaType = keyof typeof mediaIcons;

const isMedia = (type: Entry['type']): type is MediaType => type !== null && type in mediaIcons;

/** The text of a message, or the known facts of a kind that has no text. */
export function EntryBody({ shown: { entry, text, isDeleted } }: { shown: ShownEntry }) {
  const t = useTexts(chatTexts);
  if (isDeleted) return <Soft>{t.deleted}</Soft>;
  if (entry.kind !== 'message') return <Change entry={entry} text={text} />;
  const fact = <Facts entry={entry} />;
  const isErased = text === null && (entry.type === 'text' || entry.type === null);
  return (
    <>
      {fact}
      {text !== null && <Text>{text}</Text>}
      {isErased && <Soft>{entry.priority === 'otp' ? t.code : t.erased}</Soft>}
    </>
  );
}

/** A change of a message that is not loaded. */
function Change({ entry, text }: { entry: Entry; text: string | null }) {
  const t = useTexts(chatTexts);
  if (entry.kind === 'undecryptable') return <Soft>{t.undecryptable}</Soft>;
  if (entry.kind === 'deleted') return <Soft>{t.removed}</Soft>;
  if (entry.kind === 'reaction') return <Soft>{entry.emoji === null ? t.tookBack : t.reacted(entry.emoji)}</Soft>;
  return (
    <>
      <Soft>{t.changed}</Soft>
      <Text>{text ?? t.erased}</Text>
    </>
  );
}

function Facts({ entry }: { entry: Entry }) {
  const t = useTexts(chatTexts);
  const { type, media, location, contacts, poll, raw_type: rawType } = entry;
  if (isMedia(type))
    return (
      <Fact icon={mediaIcons[type]} name={t.types[type]}>
        {media?.file_name ?? t.onPhone}
      </Fact>
    );
  if (location !== null)
    return (
      <Fact icon={MapPin} name={location.name ?? t.types.location}>
        {location.address !== null && <span className="block">{location.address}</span>}
        <a
          href={`https://www.openstreetmap.org/?mlat=${location.latitude}&mlon=${location.longitude}#map=16/${location.latitude}/${location.longitude}`}
          target="_blank"
          rel="noreferrer"
          className="underline underline-offset-4"
        >
          {t.openMap}
        </a>
      </Fact>
    );
  if (contacts !== null)
    return contacts.map(({ name, phones }, at) => (
      <Fact key={at} icon={UserRound} name={name ?? t.types.contacts}>
        {phones.join(', ')}
      </Fact>
    ));
  if (poll !== null)
    return (
      <Fact icon={BarChart3} name={poll.question}>
        {poll.options.join(' · ')}
      </Fact>
    );
  return type === 'unsupported' ? <Soft>{t.unsupported(rawType ?? '?')}</Soft> : null;
}

function Fact({ icon: Icon, name, children }: { icon: LucideIcon; name: string; children: ReactNode }) {
  return (
    <div className="flex min-w-0 gap-2.5">
      <Icon aria-hidden className="mt-0.5 size-5 shrink-0 text-ink-soft" />
      <div className="min-w-0">
        <p className="font-medium break-words">{name}</p>
        <div className="text-sm break-words text-ink-soft">{children}</div>
      </div>
    </div>
  );
}

const Text = ({ children }: { children: string }) => (
  <p dir="auto" className="break-words whitespace-pre-wrap [overflow-wrap:anywhere]">
    {children}
  </p>
);

const Soft = ({ children }: { children: ReactNode }) => <p className="text-sm text-ink-soft italic">{children}</p>;
