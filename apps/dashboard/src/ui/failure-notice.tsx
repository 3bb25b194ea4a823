import type { ReactNode } from 'react';
import { ApiFailure, type FailureCode } from '../http/api-failure.js';
import { defineTexts, useTexts } from '../i18n/texts.js';
import { PageNotLoaded } from '../http/lazy-page.js';
import { useFailureSentence } from '../form/failure-sentence.js';
import { Button } from './button.js';
import { FailureAction, hasAction } from './failure-action.js';
import { Notice } from './notice.js';

const texts = defineTexts(
  {
    again: 'Try again',
    unexpected: 'Something on this page broke. Reload it.',
    notLoaded: 'The page did not load. Check your connection.',
    request: 'Request',
  },
  {
    again: 'Coba lagi',
    unexpected: 'Terjadi kesalahan di halaman ini. Muat ulang.',
    notLoaded: 'Halaman belum termuat. Periksa koneksi Anda.',
    request: 'Permintaan',
  },
);

type FailureNoticeProps = {
  failure: unknown;
  /** The sentences of a room whose cause differs from the usual one. */
  sentences?: Partial<Record<FailureCode, string>>;
  /** The help of a room, in place of the usual place to go. */
  actions?: Partial<Record<FailureCode, ReactNode>>;
  onRetry?: (() => unknown) | undefined;
};

/**
 * Says why a request failed and offers the help for it. Without a sentence of the room, it also shows the id of the
 * request, which finds it in the logs.
 */
export function FailureNotice({ failure, sentences = {}, actions = {}, onRetry }: FailureNoticeProps) {
  const t = useTexts(texts);
  const sentenceOf = useFailureSentence();
  if (failure === null || failure === undefined) return null;
  const isLost = failure instanceof PageNotLoaded;
  const known = failure instanceof ApiFailure ? failure : null;
  const own = known === null ? undefined : sentences[known.code];
  const retry = onRetry && (
    <Button size="small" onClick={() => void (isLost ? location.reload() : onRetry())}>
      {t.again}
    </Button>
  );
  const help =
    known !== null && (actions[known.code] ?? (hasAction(known.code) && <FailureAction code={known.code} />));
  return (
    <Notice tone="bad" live action={help || retry}>
      {isLost ? t.notLoaded : (own ?? (known === null ? t.unexpected : sentenceOf(known)))}
      {own === undefined && known?.requestId && (
        <span className="block text-xs text-ink-soft">
          {t.request} <code>{known.requestId}</code>
        </span>
      )}
    </Notice>
  );
}
