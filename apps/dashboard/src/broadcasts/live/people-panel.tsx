import type { DashboardData } from '@kurir/contracts/dashboard';
import { useInfiniteQuery, useQuery } from '@tanstack/react-query';
import { Link, useNavigate } from '@tanstack/react-router';
import { Download } from 'lucide-react';
import { devicesQuery } from '../../devices/device-queries.js';
import { Field } from '../../form/field.js';
import { Select } from '../../form/select.js';
import { ownTimeZone } from '../../format/time-zone.js';
import { formatPhone } from '../../format/phone.js';
import { addressOf, call } from '../../http/call.js';
import { queryKey } from '../../http/query.js';
import { useLanguage } from '../../i18n/language.js';
import { useTexts } from '../../i18n/texts.js';
import { Person } from '../../people/person.js';
import { Badge } from '../../ui/badge.js';
import { Button } from '../../ui/button.js';
import type { Column } from '../../ui/tables/columns.js';
import { PagedTable } from '../../ui/tables/paged-table.js';
import { type Outcome, outcomes, outcomeTones } from './outcomes.js';
import { liveTexts } from './texts.js';
import { useWords } from './use-words.js';

type Recipient = DashboardData<'listBroadcastRecipients'>['recipients'][number];
type PeoplePanelProps = { broadcastId: string; outcome: Outcome | undefined; moving: boolean };

const movingMs = 5_000;

function usePeople({ broadcastId, outcome, moving }: PeoplePanelProps) {
  return useInfiniteQuery({
    queryKey: [...queryKey('listBroadcastRecipients'), broadcastId, outcome],
    queryFn: ({ pageParam, signal }) =>
      call(
        'listBroadcastRecipients',
        {
          params: { broadcast_id: broadcastId },
          query: {
            ...(outcome === undefined ? {} : { outcome }),
            ...(pageParam === null ? {} : { cursor: pageParam }),
          },
        },
        signal,
      ),
    initialPageParam: null as string | null,
    getNextPageParam: (page) => page.next_cursor,
    // Every page is read again, so a long list stays as it is.
    refetchInterval: ({ state }) => (moving && state.data?.pages.length === 1 ? movingMs : false),
  });
}

/** The rows of the list, each with its one outcome. */
export function PeoplePanel(props: PeoplePanelProps) {
  const t = useTexts(liveTexts);
  const { outcome } = props;
  const list = usePeople(props);
  const language = useLanguage();
  const columns = useColumns();
  const rows = list.data?.pages.flatMap((page) => page.recipients) ?? [];
  return (
    <section id="people" aria-label={t.recipients} className="flex scroll-mt-4 flex-col gap-3">
      <div className="flex flex-wrap items-end justify-between gap-3">
        <h2 className="text-base font-semibold">{t.recipients}</h2>
        <div className="flex w-full flex-wrap items-end gap-3 sm:w-auto">
          <OutcomeFilter {...props} />
          <Button asChild className="sm:h-10">
            <a
              href={addressOf('exportBroadcastResults', {
                params: { broadcast_id: props.broadcastId },
                query: { time_zone: ownTimeZone(), language },
              })}
              download
            >
              <Download aria-hidden className="size-4" />
              {t.download}
            </a>
          </Button>
        </div>
      </div>
      <PagedTable
        key={outcome}
        label={t.recipients}
        empty={t.nobody}
        list={list}
        rows={rows}
        columns={columns}
        idOf={({ position }) => String(position)}
      />
    </section>
  );
}

function OutcomeFilter({ broadcastId, outcome }: PeoplePanelProps) {
  const t = useTexts(liveTexts);
  const words = useWords();
  const navigate = useNavigate();
  const show = (chosen: string) =>
    void navigate({
      to: '/broadcasts/$broadcastId',
      params: { broadcastId },
      search: chosen === '' ? {} : { outcome: chosen },
      replace: true,
      resetScroll: false,
    });
  return (
    <Field label={t.show} className="w-full sm:w-56">
      {(links) => (
        <Select {...links} className="w-full" value={outcome ?? ''} onChange={({ target }) => show(target.value)}>
          <option value="">{t.everybody}</option>
          {outcomes.map((one) => (
            <option key={one} value={one}>
              {words.outcome(one)}
            </option>
          ))}
        </Select>
      )}
    </Field>
  );
}

/** A number that is not possible is shown as it was written. */
const shownNumber = (phone: string | null): string =>
  phone === null ? '—' : /^\d{7,15}$/.test(phone) ? formatPhone(phone) : phone;

function useColumns(): Column<Recipient>[] {
  const t = useTexts(liveTexts);
  const words = useWords();
  const { data: devices } = useQuery(devicesQuery());
  return [
    {
      name: 'person',
      header: t.person,
      card: 'title',
      cell: ({ phone }) => <Person phone={phone} shown={shownNumber(phone)} />,
    },
    {
      name: 'outcome',
      header: t.outcome,
      card: 'corner',
      cell: ({ outcome }) => <Badge tone={outcomeTones[outcome]}>{words.outcome(outcome)}</Badge>,
    },
    { name: 'reason', header: t.reason, cell: ({ reason }) => reason !== null && words.reason(reason) },
    {
      name: 'device',
      header: t.device,
      cell: ({ device_id: id }) => id !== null && (devices?.find((one) => one.device_id === id)?.name ?? t.gone),
    },
    {
      name: 'message',
      header: t.message,
      className: 'text-right',
      cell: ({ job_id: job, phone }) =>
        job !== null && (
          <Link
            to="/messages"
            search={{ job }}
            aria-label={t.openMessage(shownNumber(phone))}
            className="inline-flex min-h-10 items-center px-1 font-medium text-accent hover:underline sm:min-h-0"
          >
            {t.open}
          </Link>
        ),
    },
  ];
}
