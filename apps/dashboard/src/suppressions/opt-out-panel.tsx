import type { DashboardData } from '@kurir/contracts/dashboard';
import { useQuery } from '@tanstack/react-query';
import { type SyntheticEvent, useState } from 'react';
import { Field } from '../form/field.js';
import { TextArea } from '../form/input.js';
import { readQuery } from '../http/query.js';
import { useCall } from '../http/use-call.js';
import { useTexts } from '../i18n/texts.js';
import { useMay } from '../session/me.js';
import { Button } from '../ui/button.js';
import { FailureNotice } from '../ui/failure-notice.js';
import { Panel, PanelHead } from '../ui/layout/panel.js';
import { SkeletonLines } from '../ui/layout/skeleton.js';
import { toast } from '../ui/overlays/toasts.js';
import { mistakesOf, type OptOutDraft, wordsOf } from './opt-out-words.js';
import { ReplyPreview } from './reply-preview.js';
import { optOutTexts } from './texts.js';

type OptOut = DashboardData<'getOptOut'>;

const draftOf = (optOut: OptOut): OptOutDraft => ({
  stopWords: optOut.stop_words.join('\n'),
  startWords: optOut.start_words.join('\n'),
  stopReply: optOut.stop_reply ?? '',
  startReply: optOut.start_reply ?? '',
});

export function OptOutPanel() {
  const { data, error, refetch } = useQuery(readQuery('getOptOut', {}));
  return (
    <div className="flex flex-col gap-4">
      <FailureNotice failure={error} onRetry={refetch} />
      {data === undefined ? (
        error === null && (
          <Panel>
            <SkeletonLines count={5} />
          </Panel>
        )
      ) : (
        <OptOutForm optOut={data} />
      )}
    </div>
  );
}

function OptOutForm({ optOut }: { optOut: OptOut }) {
  const t = useTexts(optOutTexts);
  const mayChange = useMay('developer');
  const [draft, setDraft] = useState(() => draftOf(optOut));
  const save = useCall('setOptOut', ['getOptOut']);
  const mistakes = mistakesOf(draft, t);
  const isWrong = Object.values(mistakes).some((mistake) => mistake !== undefined);
  const submit = (event: SyntheticEvent) => {
    event.preventDefault();
    const body = {
      stop_words: wordsOf(draft.stopWords),
      start_words: wordsOf(draft.startWords),
      stop_reply: draft.stopReply === '' ? null : draft.stopReply,
      start_reply: draft.startReply === '' ? null : draft.startReply,
    };
    save.mutate({ body }, { onSuccess: () => toast(t.saved) });
  };
  const area = (name: keyof OptOutDraft, hint: string, rows: number) => (
    <Field label={t[name]} hint={hint} error={mistakes[name]}>
      {(links) => (
        <TextArea
          {...links}
          rows={rows}
          readOnly={!mayChange}
          value={draft[name]}
          onChange={({ target }) => setDraft({ ...draft, [name]: target.value })}
        />
      )}
    </Field>
  );
  return (
    <div className="grid items-start gap-6 lg:grid-cols-[minmax(0,1.2fr)_minmax(0,1fr)]">
      <Panel>
        <form noValidate className="flex flex-col gap-5 p-5" onSubmit={submit}>
          {area('stopWords', t.wordsHint, 5)}
          {area('stopReply', t.replyHint, 3)}
          {area('startWords', t.wordsHint, 3)}
          {area('startReply', t.replyHint, 3)}
          <FailureNotice failure={save.error} />
          {mayChange && (
            <Button type="submit" look="primary" size="large" busy={save.isPending} disabled={isWrong}>
              {t.save}
            </Button>
          )}
        </form>
      </Panel>
      <Panel>
        <PanelHead title={t.preview} />
        <ReplyPreview
          turns={[
            { word: wordsOf(draft.stopWords)[0] ?? '', reply: draft.stopReply },
            { word: wordsOf(draft.startWords)[0] ?? '', reply: draft.startReply },
          ]}
        />
      </Panel>
    </div>
  );
}
