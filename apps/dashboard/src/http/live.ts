/**
 * Reads pages again when the gateway sends an event. The browser resumes a broken stream with the last id it saw;
 * this code reopens a stream that the gateway refused, after a pause. An event holds the current state of a thing,
 * so it may come twice. Many events at once lead to few reads: see `quietMsOf`.
 */
import type { OperationNameForPeople } from '@kurir/contracts/dashboard';
import type { QueryClient } from '@tanstack/react-query';
import { addressOf } from './call.js';
import { queryKey } from './query.js';
import { type Message, type MessagePages, replaceMessage } from './replace-message.js';

const quietMs = 1_000;
const reopenAfterMs = 5_000;

/** Reads an operation's open queries again, at most once per `quietMs`. */
function createRefresher(client: QueryClient) {
  const timers = new Map<OperationNameForPeople, ReturnType<typeof setTimeout>>();
  const again = new Set<OperationNameForPeople>();
  function refresh(operation: OperationNameForPeople): void {
    if (timers.has(operation)) {
      again.add(operation);
      return;
    }
    void client.invalidateQueries({ queryKey: queryKey(operation) });
    const release = () => {
      timers.delete(operation);
      if (again.delete(operation)) refresh(operation);
    };
    timers.set(operation, setTimeout(release, quietMs));
  }
  const stop = () => {
    for (const timer of timers.values()) clearTimeout(timer);
  };
  return { refresh, stop };
}

const afterMessage: readonly OperationNameForPeople[] = [
  'listMessages',
  'getMessage',
  'readOverview',
  'readPhone',
  'listPhones',
  'listConversationMessages',
  'listConversations',
];
const afterDevice: readonly OperationNameForPeople[] = ['listDevices', 'deviceHealth', 'readOverview'];
const afterAccount: readonly OperationNameForPeople[] = [
  'readMe',
  'listDevices',
  'readOverview',
  'listPlans',
  'listRenewals',
  'listLedger',
  'listInvoices',
];

const afterConversation: readonly OperationNameForPeople[] = [
  'listConversations',
  'getConversation',
  'listConversationMessages',
  'listSuppressions',
];

const afterBroadcast: readonly OperationNameForPeople[] = ['listBroadcasts', 'getBroadcast', 'listBroadcastRecipients'];

/** Receipts come after the broadcast has ended. */
const afterBroadcastMessage: readonly OperationNameForPeople[] = ['listBroadcastRecipients'];

const afterNotices: readonly OperationNameForPeople[] = ['listNotices'];

export type LiveState = 'connecting' | 'open' | 'broken';

/** Opens the stream and keeps it open until the caller calls the returned function. */
export function followEvents(client: QueryClient, onState: (state: LiveState) => void): () => void {
  const { refresh, stop } = createRefresher(client);
  let source: EventSource | undefined;
  let reopening: ReturnType<typeof setTimeout> | undefined;

  const refreshAll = (operations: readonly OperationNameForPeople[]) => {
    for (const operation of operations) refresh(operation);
  };

  function onMessage({ data }: MessageEvent<string>): void {
    const message = JSON.parse(data) as Message; // the contract's `liveEvents.message`
    client.setQueriesData<MessagePages>({ queryKey: queryKey('listMessages') }, (pages) =>
      replaceMessage(pages, message),
    );
    refreshAll(afterMessage);
    if (message.broadcast_id !== null) refreshAll(afterBroadcastMessage);
  }

  function open(): void {
    onState('connecting');
    source = new EventSource(addressOf('streamEvents', {}));
    source.addEventListener('open', () => {
      onState('open');
      // This stream did not carry the events between the first read of the page and now.
      refreshAll(afterMessage);
      refreshAll(afterDevice);
      refreshAll(afterNotices);
      refreshAll(afterConversation);
      refreshAll(afterBroadcast);
    });
    source.addEventListener('message', onMessage);
    source.addEventListener('messages', () => refresh('listConversationMessages'));
    source.addEventListener('device', () => refreshAll(afterDevice));
    source.addEventListener('conversation', () => refreshAll(afterConversation));
    source.addEventListener('broadcast', () => refreshAll(afterBroadcast));
    source.addEventListener('account', () => refreshAll(afterAccount));
    source.addEventListener('notices', () => refreshAll(afterNotices));
    source.addEventListener('resync', () => void client.invalidateQueries());
    source.addEventListener('error', () => {
      onState('broken');
      if (source?.readyState === EventSource.CLOSED) reopening = setTimeout(open, reopenAfterMs);
    });
  }

  open();
  return () => {
    clearTimeout(reopening);
    source?.close();
    stop();
  };
}
