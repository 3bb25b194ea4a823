import { useQuery } from '@tanstack/react-query';
import { readQuery } from '../http/query.js';
import { useLanguage } from '../i18n/language.js';
import { defineTexts, useTexts } from '../i18n/texts.js';
import { Button, type ButtonProps } from '../ui/button.js';

const mailboxTexts = defineTexts({ open: 'Open the mailbox' }, { open: 'Buka kotak email' });

/** Links to the mailbox page if the gateway keeps emails there and sends none. */
export function MailboxLink({ size = 'large' }: Pick<ButtonProps, 'size'>) {
  const t = useTexts(mailboxTexts);
  const language = useLanguage();
  const { data } = useQuery(readQuery('readSetup', {}));
  if (!data?.mailbox_url) return null;
  return (
    <Button asChild size={size}>
      <a href={`${data.mailbox_url}?lang=${language}`}>{t.open}</a>
    </Button>
  );
}
