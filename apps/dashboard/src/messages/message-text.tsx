import { useCall } from '../http/use-call.js';
import { useTexts } from '../i18n/texts.js';
import { useMay } from '../session/me.js';
import { Button } from '../ui/button.js';
import { FailureNotice } from '../ui/failure-notice.js';
import type { MessageDetail } from './status.js';
import { messageTexts } from './texts.js';

/** Shows the text of a message on request. A change of the message must not read it again: each reading is recorded. */
export function MessageText({ message: { job_id: id, priority, category } }: { message: MessageDetail }) {
  const t = useTexts(messageTexts);
  const mayRead = useMay('developer');
  const read = useCall('readMessageText');
  if (priority === 'otp' || category === 'authentication') return <Note>{t.withheld.one_time_code}</Note>;
  if (!mayRead) return <Note>{t.textForDevelopers}</Note>;
  if (read.data === undefined)
    return (
      <div className="flex flex-col items-start gap-2 border-t border-line pt-4">
        <FailureNotice failure={read.error} />
        <Button size="small" busy={read.isPending} onClick={() => read.mutate({ params: { job_id: id } })}>
          {t.showText}
        </Button>
        <p className="text-xs text-ink-faint">{t.textRecorded}</p>
      </div>
    );
  const { text, withheld } = read.data;
  if (withheld !== null) return <Note>{t.withheld[withheld]}</Note>;
  return (
    <section aria-labelledby="message-text" className="border-t border-line pt-4">
      <h3 id="message-text" className="mb-2 text-sm font-semibold">
        {t.text}
      </h3>
      <p className="rounded-md bg-sunken p-3 text-sm break-words whitespace-pre-wrap">{text}</p>
    </section>
  );
}

const Note = ({ children }: { children: string }) => (
  <p className="border-t border-line pt-3 text-xs text-ink-faint">{children}</p>
);
