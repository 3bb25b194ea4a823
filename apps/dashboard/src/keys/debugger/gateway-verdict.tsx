import { useCall } from '../../http/use-call.js';
import { useTexts } from '../../i18n/texts.js';
import { Button } from '../../ui/button.js';
import { FailureNotice } from '../../ui/failure-notice.js';
import { Notice } from '../../ui/notice.js';
import { Panel, PanelHead } from '../../ui/layout/panel.js';
import type { Draft } from './draft.js';
import { debuggerTexts } from './texts.js';

export function GatewayVerdict({ draft }: { draft: Draft }) {
  const t = useTexts(debuggerTexts);
  const ask = useCall('debugSignature');
  const { method, target, timestamp, body, signature, yours, apiKey, version, deviceId, idempotencyKey } = draft;
  const isComplete = apiKey !== '' && signature !== '' && method !== '' && target !== '';
  const submit = () =>
    ask.mutate({
      body: {
        api_key: apiKey.trim(),
        method,
        target,
        timestamp,
        body,
        signature: signature.trim(),
        ...(version === '' ? {} : { signature_version: version }),
        ...(deviceId === '' ? {} : { device_id: deviceId }),
        ...(idempotencyKey === '' ? {} : { idempotency_key: idempotencyKey }),
        ...(yours === '' ? {} : { string_to_sign: yours }),
      },
    });
  return (
    <Panel>
      <PanelHead title={t.ask} note={t.askNote} />
      <div className="flex flex-col gap-4 px-5 pb-5">
        <div className="flex flex-wrap items-center gap-3">
          <Button busy={ask.isPending} disabled={!isComplete} onClick={submit}>
            {t.ask}
          </Button>
          {!isComplete && <span className="text-sm text-ink-faint">{t.askNeeds}</span>}
        </div>
        <FailureNotice failure={ask.error} />
        {ask.data !== undefined && (
          <Notice
            tone={ask.data.matches ? 'ok' : 'bad'}
            title={ask.data.matches ? t.gatewayMatches : t.gatewayRefuses}
            live
          >
            {ask.data.advice.length > 0 && (
              <ul className="mt-1 list-disc pl-4">
                {ask.data.advice.map((sentence) => (
                  <li key={sentence}>{sentence}</li>
                ))}
              </ul>
            )}
          </Notice>
        )}
      </div>
    </Panel>
  );
}
