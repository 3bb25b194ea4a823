/** Says why the gateway did not take a message, and what to do about it. */
import { Link, type LinkProps } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { ApiFailure, type FailureCode } from '../../../http/api-failure.js';
import { useTexts } from '../../../i18n/texts.js';
import { FailureNotice } from '../../../ui/failure-notice.js';
import { Notice } from '../../../ui/notice.js';
import { chatTexts } from '../../chat-texts.js';

type Cause = keyof (typeof chatTexts)['en']['failures'];

const causes: Partial<Record<FailureCode, Cause>> = {
  PLAN_EXPIRED: 'plan',
  QUOTA_EXHAUSTED: 'quota',
  DEVICE_NOT_LINKED: 'device',
  ROLE_NOT_ALLOWED: 'role',
  OFFLINE: 'offline',
};

export function NotSent({ failure, deviceId }: { failure: unknown; deviceId: string }) {
  const t = useTexts(chatTexts);
  const cause = failure instanceof ApiFailure ? causes[failure.code] : undefined;
  if (cause === undefined) return <FailureNotice failure={failure} />;
  const action = {
    plan: <Place to="/billing">{t.toBilling}</Place>,
    quota: <Place to="/billing">{t.toBilling}</Place>,
    device: (
      <Place to="/devices/$deviceId" params={{ deviceId }}>
        {t.openDevice}
      </Place>
    ),
    role: undefined,
    offline: undefined,
  }[cause];
  return (
    <Notice tone="bad" live action={action}>
      {t.failures[cause]}
    </Notice>
  );
}

const Place = ({ children, ...place }: Pick<LinkProps, 'to' | 'params'> & { children: ReactNode }) => (
  <Link {...place} className="py-2.5 font-medium underline underline-offset-4">
    {children}
  </Link>
);
