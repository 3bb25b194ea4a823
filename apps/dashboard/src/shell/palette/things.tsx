/** The things of the account by their names: devices, people, broadcasts, templates, webhooks and keys. */
import { useQuery } from '@tanstack/react-query';
import { type LinkProps, useNavigate } from '@tanstack/react-router';
import { Command } from 'cmdk';
import { BookUser, FileText, KeyRound, Megaphone, Smartphone, Webhook } from 'lucide-react';
import { type ReactNode, useEffect, useState } from 'react';
import { formatPhone } from '../../format/phone.js';
import { readQuery } from '../../http/query.js';
import { useTexts } from '../../i18n/texts.js';
import { useMay } from '../../session/me.js';
import { shellTexts } from '../ground/texts.js';
import { type Choose, Entry, headingLook } from './entry.js';
import { thing } from './rank.js';

/** `shown` is what stands in the list, if it is more than the name. */
export type Thing = {
  id: string;
  name: string;
  shown?: string;
  icon: ReactNode;
  link: Pick<LinkProps, 'to' | 'params' | 'search'>;
};

/** The gateway lists this many of a kind, and the palette shows the first few. */
const listed = 100;
const shownOfKind = 4;
/** One letter fits nearly every name. */
const leastLetters = 2;
const typingPauseMs = 200;
/** A list that was read so lately is not read again. */
const freshMs = 30_000;

/** The text after a pause in typing. */
function usePaused(text: string): string {
  const [paused, setPaused] = useState(text);
  useEffect(() => {
    const timer = setTimeout(() => setPaused(text), typingPauseMs);
    return () => clearTimeout(timer);
  }, [text]);
  return paused;
}

/**
 * Contacts are many, so the gateway searches them. The other lists are short and are read once. Agents see conversations
 * only.
 */
export function useThings(text: string): Thing[] {
  const query = { limit: listed };
  const enabled = useMay('viewer') && text.length >= leastLetters;
  const devices = useQuery({
    ...readQuery('listDevices', { query: { include: 'activity' } }),
    staleTime: freshMs,
    enabled,
  });
  const keys = useQuery({ ...readQuery('listKeys', {}), staleTime: freshMs, enabled });
  const webhooks = useQuery({ ...readQuery('listWebhooks', {}), staleTime: freshMs, enabled });
  const templates = useQuery({ ...readQuery('listTemplates', { query }), staleTime: freshMs, enabled });
  const broadcasts = useQuery({ ...readQuery('listBroadcasts', { query }), staleTime: freshMs, enabled });
  const people = useQuery({
    ...readQuery('listContacts', { query: { q: usePaused(text), limit: shownOfKind } }),
    staleTime: freshMs,
    enabled,
  });
  const kinds: Thing[][] = [
    (devices.data?.devices ?? []).map(({ device_id: id, name }) => ({
      id,
      name,
      icon: <Smartphone aria-hidden />,
      link: { to: '/devices/$deviceId', params: { deviceId: id } },
    })),
    (broadcasts.data?.broadcasts ?? []).map(({ broadcast_id: id, name }) => ({
      id,
      name,
      icon: <Megaphone aria-hidden />,
      link: { to: '/broadcasts/$broadcastId', params: { broadcastId: id } },
    })),
    (templates.data?.templates ?? []).map(({ template_id: id, name }) => ({
      id,
      name,
      icon: <FileText aria-hidden />,
      link: { to: '/templates/$templateId', params: { templateId: id } },
    })),
    (webhooks.data?.webhooks ?? []).map(({ webhook_id: id, url, description }) => ({
      id,
      name: description ? `${description} · ${url}` : url,
      icon: <Webhook aria-hidden />,
      link: { to: '/webhooks/$webhookId', params: { webhookId: id } },
    })),
    (keys.data?.keys ?? []).map(({ api_key: id, name }) => ({
      id,
      name: name ?? id,
      icon: <KeyRound aria-hidden />,
      link: { to: '/messages', search: { key: id } },
    })),
  ];
  const fits = ({ id, name }: Thing) => name.toLowerCase().includes(text.toLowerCase()) || id === text;
  const found = kinds.flatMap((things) => things.filter(fits).slice(0, shownOfKind));
  const contacts = (people.data?.contacts ?? []).map(({ contact_id: id, name, phone }) => ({
    id,
    name: name ?? formatPhone(phone),
    ...(name === null ? {} : { shown: `${name} · ${formatPhone(phone)}` }),
    icon: <BookUser aria-hidden />,
    link: { to: '/contacts/$contactId' as const, params: { contactId: id } },
  }));
  return enabled ? [...found, ...contacts] : [];
}

type ThingsProps = { things: readonly Thing[]; text: string; choose: Choose };

export function Things({ things, text, choose }: ThingsProps) {
  const t = useTexts(shellTexts);
  const navigate = useNavigate();
  if (things.length === 0) return null;
  return (
    <Command.Group heading={t.things} className={headingLook}>
      {things.map(({ id, name, shown = name, icon, link }) => (
        // The text is among its words, because the gateway may know more of a contact than its name.
        <Entry
          key={id}
          value={`${thing}${id}`}
          words={[shown, name, text]}
          icon={icon}
          onSelect={choose(() => navigate(link))}
        >
          {shown}
        </Entry>
      ))}
    </Command.Group>
  );
}
