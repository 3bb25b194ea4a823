import { useEffect, useState } from 'react';
import { useCall } from '../../http/use-call.js';
import { useTexts } from '../../i18n/texts.js';
import { Button } from '../../ui/button.js';
import { FailureNotice } from '../../ui/failure-notice.js';
import { sendTexts } from './texts.js';

/** A phone stops to show the signal after this time if no other signal follows. */
const shownForMs = 25_000;

/** Shows the recipient that somebody is typing, until the person stops it, a message arrives, or the signal expires. */
export function TypingButton({ deviceId, recipient }: { deviceId: string; recipient: string }) {
  const t = useTexts(sendTexts);
  const { mutate, isPending, error } = useCall('chatPresence');
  const [isShown, setShown] = useState(false);
  useEffect(() => {
    if (!isShown) return undefined;
    const timer = setTimeout(() => setShown(false), shownForMs);
    return () => clearTimeout(timer);
  }, [isShown]);
  const signal = () =>
    mutate(
      { deviceId, body: { action: isShown ? 'stop' : 'start', phone_destination: recipient } },
      { onSuccess: () => setShown(!isShown) },
    );
  return (
    <>
      <Button size="large" busy={isPending} disabled={recipient === ''} aria-pressed={isShown} onClick={signal}>
        {isShown ? t.stopTyping : t.showTyping}
      </Button>
      {error !== null && (
        <div className="basis-full">
          <FailureNotice failure={error} />
        </div>
      )}
    </>
  );
}
