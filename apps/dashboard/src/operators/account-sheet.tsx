import { useQuery } from '@tanstack/react-query';
import { reasonSentence } from '../devices/device/reason-texts.js';
import { StateBadge } from '../devices/state-badge.js';
import { deviceTexts } from '../devices/texts.js';
import { formatCount } from '../format/format.js';
import { readQuery } from '../http/query.js';
import { useLanguage } from '../i18n/language.js';
import { useTexts } from '../i18n/texts.js';
import { StatusBadge } from '../messages/status-badge.js';
import { roleTexts } from '../session/role-texts.js';
import { FailureNotice } from '../ui/failure-notice.js';
import { Moment } from '../ui/moment.js';
import { Dialog } from '../ui/overlays/dialog.js';
import { Facts } from './gateway/facts.js';
import type { Account, AccountDetail } from './rows.js';
import { Suspension } from './suspension.js';
import { gatewayTexts } from './gateway/texts.js';

type AccountSheetProps = { account: Account; onChange: (account: Account) => void; onClose: () => void };

export function AccountSheet({ account, onChange, onClose }: AccountSheetProps) {
  const t = useTexts(gatewayTexts);
  const { data, error, refetch } = useQuery(
    readQuery('adminShowAccount', { params: { account_id: account.account_id } }),
  );
  return (
    <Dialog open onClose={onClose} title={account.name} note={t.lookNote} shape="sheet">
      <Suspension account={account} onChange={onChange} />
      <FailureNotice failure={error} onRetry={refetch} />
      {data !== undefined && <Detail detail={data} />}
    </Dialog>
  );
}

function Heading({ children }: { children: string }) {
  return <h3 className="mt-4 text-sm font-semibold">{children}</h3>;
}

function Detail({ detail }: { detail: AccountDetail }) {
  const t = useTexts(gatewayTexts);
  const { roles } = useTexts(roleTexts);
  const language = useLanguage();
  return (
    <div className="-mx-5 flex flex-col [&_h3]:px-5">
      <Facts
        facts={[
          [t.devices, t.ofDevices(detail.device_count, detail.max_devices)],
          [t.keys, formatCount(detail.api_keys, language)],
          [t.webhooks, formatCount(detail.webhooks, language)],
        ]}
      />
      <Heading>{t.members}</Heading>
      <Facts facts={detail.members.map(({ email, role }) => [email, roles[role]])} />
      <Heading>{t.lately}</Heading>
      {detail.messages_24h.length === 0 && <p className="px-5 py-2 text-sm text-ink-soft">{t.noMessages}</p>}
      <Facts
        facts={detail.messages_24h.map(({ status, messages }) => [
          <StatusBadge key={status} status={status} />,
          formatCount(messages, language),
        ])}
      />
      <Heading>{t.devices}</Heading>
      {detail.devices.length === 0 && <p className="px-5 py-2 text-sm text-ink-soft">{t.noDevices}</p>}
      <ul>
        {detail.devices.map((device) => (
          <Device key={device.device_id} device={device} />
        ))}
      </ul>
    </div>
  );
}

function Device({ device }: { device: AccountDetail['devices'][number] }) {
  const t = useTexts(gatewayTexts);
  const d = useTexts(deviceTexts);
  const language = useLanguage();
  const count = (value: number) => formatCount(value, language);
  const { pace_per_minute: pace, new_contacts_per_day: newContacts } = device;
  const limits = [
    d[device.network],
    pace === null ? t.noPace : t.pace(count(pace)),
    newContacts === null ? t.noNewContacts : t.newContacts(count(newContacts)),
    t.waiting(count(device.waiting)),
  ];
  const reason = reasonSentence(device, language);
  return (
    <li className="flex flex-col gap-1 border-t border-line px-5 py-3 text-sm first:border-t-0">
      <div className="flex flex-wrap items-center justify-between gap-2">
        <span className="min-w-0 font-medium break-words">{device.name}</span>
        <StateBadge state={device.state} />
      </div>
      <p className="text-xs text-ink-soft">
        {limits.join(' · ')}
        {device.last_connected_at !== null && (
          <>
            {' · '}
            <Moment at={device.last_connected_at} />
          </>
        )}
      </p>
      {reason !== null && <p className="text-xs text-ink-soft">{reason}</p>}
    </li>
  );
}
