import { useQuery } from '@tanstack/react-query';
import { Link, useNavigate } from '@tanstack/react-router';
import { MessagesSquare } from 'lucide-react';
import { devicesQuery } from '../devices/device-queries.js';
import { SearchField } from '../form/filters/search-field.js';
import { Select } from '../form/select.js';
import { useTexts } from '../i18n/texts.js';
import { useMay, useMe } from '../session/me.js';
import { Button } from '../ui/button.js';
import { FailureNotice } from '../ui/failure-notice.js';
import { EmptyState } from '../ui/layout/empty-state.js';
import { RoutePicture } from '../ui/layout/route-picture.js';
import { SkeletonLines } from '../ui/layout/skeleton.js';
import { type ConversationFilter, useConversations } from './conversation-queries.js';
import { ConversationRow } from './conversation-row.js';
import { conversationTexts } from './texts.js';

type ListProps = {
  /** Beside a chat, the chat has the heading of the page. */
  heading: 'h1' | 'h2';
  onlyUnread: boolean;
  deviceId: string | undefined;
  search: string | undefined;
  /** The conversation whose chat is open. */
  openId: string | null;
};

export function ConversationList({ heading: Heading, onlyUnread, deviceId, search, openId }: ListProps) {
  const t = useTexts(conversationTexts);
  const filter: ConversationFilter = {
    ...(onlyUnread ? { unread: 'true' } : {}),
    ...(deviceId === undefined ? {} : { device_id: deviceId }),
    ...(search === undefined ? {} : { q: search }),
  };
  const list = useConversations(filter);
  const maySeeDevices = useMay('viewer');
  const devices = useQuery({ ...devicesQuery(), enabled: maySeeDevices });
  const nameOfDevice = new Map(devices.data?.map(({ device_id: id, name }) => [id, name]));
  const conversations = list.data?.pages.flatMap((page) => page.conversations) ?? [];
  return (
    <>
      <div className="flex flex-col gap-3 border-b border-line px-4 py-4">
        <Heading tabIndex={-1} className="text-xl font-semibold tracking-[-0.024em] outline-none">
          {t.title}
        </Heading>
        <Filters onlyUnread={onlyUnread} deviceId={deviceId} search={search} names={nameOfDevice} />
      </div>
      <div className="min-h-0 flex-1 overflow-y-auto">
        <div className="px-4 empty:hidden">
          <FailureNotice failure={list.error} onRetry={list.refetch} />
        </div>
        {list.isPending && <SkeletonLines count={6} />}
        {list.data !== undefined && conversations.length === 0 && <NoConversations filter={filter} />}
        <ul>
          {conversations.map((conversation) => (
            <ConversationRow
              key={conversation.conversation_id}
              conversation={conversation}
              deviceName={nameOfDevice.size > 1 ? nameOfDevice.get(conversation.device_id) : undefined}
              isOpen={conversation.conversation_id === openId}
            />
          ))}
        </ul>
        {list.hasNextPage && (
          <div className="flex justify-center py-4">
            <Button busy={list.isFetchingNextPage} onClick={() => void list.fetchNextPage()}>
              {t.more}
            </Button>
          </div>
        )}
      </div>
    </>
  );
}

type FiltersProps = Pick<ListProps, 'onlyUnread' | 'deviceId' | 'search'> & { names: ReadonlyMap<string, string> };

function Filters({ onlyUnread, deviceId, search, names }: FiltersProps) {
  const t = useTexts(conversationTexts);
  const navigate = useNavigate();
  const show = (unread: boolean, device: string | undefined, text = search) =>
    void navigate({ to: '.', search: { unread: unread || undefined, device, q: text || undefined } });
  return (
    <div className="flex flex-wrap gap-2">
      <div className="flex basis-full">
        <SearchField
          label={t.search}
          placeholder={t.search}
          value={search ?? ''}
          onChange={(text) => show(onlyUnread, deviceId, text.trim())}
        />
      </div>
      <Select
        className="min-w-0 flex-1"
        aria-label={t.show}
        value={onlyUnread ? 'unread' : ''}
        onChange={({ target }) => show(target.value !== '', deviceId)}
      >
        <option value="">{t.all}</option>
        <option value="unread">{t.onlyUnread}</option>
      </Select>
      {names.size > 1 && (
        <Select
          className="min-w-0 flex-1"
          aria-label={t.device}
          value={deviceId ?? ''}
          onChange={({ target }) => show(onlyUnread, target.value || undefined)}
        >
          <option value="">{t.anyDevice}</option>
          {[...names].map(([id, name]) => (
            <option key={id} value={id}>
              {name}
            </option>
          ))}
        </Select>
      )}
    </div>
  );
}

function NoConversations({ filter }: { filter: ConversationFilter }) {
  const t = useTexts(conversationTexts);
  const { sandbox } = useMe();
  const maySeeDevices = useMay('viewer');
  if (filter.q !== undefined) return <p className="px-5 py-12 text-center text-sm text-ink-soft">{t.notFound}</p>;
  if (filter.unread !== undefined || filter.device_id !== undefined)
    return (
      <p className="px-5 py-12 text-center text-sm text-ink-soft">
        {filter.unread === undefined ? t.nothingHere : t.nothing}
      </p>
    );
  return (
    <EmptyState
      picture={
        <RoutePicture>
          <MessagesSquare />
        </RoutePicture>
      }
      title={t.emptyTitle}
      actions={
        maySeeDevices && (
          <Button asChild look="primary">
            <Link to={sandbox ? '/handset' : '/devices'}>{sandbox ? t.openHandset : t.openDevices}</Link>
          </Button>
        )
      }
    >
      {t.emptyNote}
    </EmptyState>
  );
}
