import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { devicesQuery } from '../devices/device-queries.js';
import { formatMoment, shortenId } from '../format/format.js';
import { useLanguage } from '../i18n/language.js';
import { useTexts } from '../i18n/texts.js';
import { CopyButton } from '../ui/copy-button.js';
import type { JobDetail } from './status.js';
import { messageTexts } from './texts.js';

function Fact({ name, copy, children }: { name: string; copy?: string | null; children: ReactNode }) {
  return (
    <div className="flex min-h-10 items-center justify-between gap-4 border-t border-line text-sm">
      <dt className="shrink-0 text-ink-soft">{name}</dt>
      <dd className="flex min-w-0 items-center gap-1 text-right">
        <span className="min-w-0 truncate">{children}</span>
        {copy !== undefined && copy !== null && <CopyButton text={copy} iconOnly className="-mr-2" />}
      </dd>
    </div>
  );
}

export function MessageFacts({ job }: { job: JobDetail }) {
  const t = useTexts(messageTexts);
  const language = useLanguage();
  const devices = useQuery(devicesQuery());
  const device = devices.data?.find(({ device_id }) => device_id === job.device_id);
  return (
    <div>
      <dl>
        <Fact name={t.jobId} copy={job.job_id}>
          <code title={job.job_id}>{shortenId(job.job_id)}</code>
        </Fact>
        {job.client_ref !== null && (
          <Fact name={t.ref} copy={job.client_ref}>
            <code>{job.client_ref}</code>
          </Fact>
        )}
        <Fact name={t.device}>
          <Link to="/devices/$deviceId" params={{ deviceId: job.device_id }} className="text-accent hover:underline">
            {device?.name ?? shortenId(job.device_id)}
          </Link>
        </Fact>
        <Fact name={t.priority}>{job.priority}</Fact>
        <Fact name={t.attempts}>{job.attempts}</Fact>
        <Fact name={t.sentBy}>{job.sent_by.name ?? shortenId(job.sent_by.id)}</Fact>
        {job.send_at !== null && <Fact name={t.sendAt}>{formatMoment(job.send_at, language)}</Fact>}
        {job.expires_at !== null && <Fact name={t.expiresAt}>{formatMoment(job.expires_at, language)}</Fact>}
        {job.network_message_id !== null && (
          <Fact name={t.networkId} copy={job.network_message_id}>
            <code>{job.network_message_id}</code>
          </Fact>
        )}
        <Fact name={t.requestId} copy={job.request_id}>
          <code title={job.request_id}>{shortenId(job.request_id)}</code>
        </Fact>
      </dl>
      <p className="border-t border-line pt-3 text-xs text-ink-faint">{t.textHidden}</p>
    </div>
  );
}
