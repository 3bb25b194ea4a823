import { useQuery } from '@tanstack/react-query';
import { readQuery } from '../http/query.js';
import { useTexts } from '../i18n/texts.js';
import { Button } from '../ui/button.js';
import { signInTexts } from './texts.js';

/** Links to the built-in mailbox if the gateway keeps mails there and sends none. */
export function MailboxLink() {
  const t = useTexts(signInTexts);
  const { data } = useQuery(readQuery('readSetup', {}));
  if (!data?.mailbox_url) return null;
  return (
    <Button asChild size="large">
      <a href={data.mailbox_url}>{t.mailbox}</a>
    </Button>
  );
}
