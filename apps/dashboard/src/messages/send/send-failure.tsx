import { Link } from '@tanstack/react-router';
import { useTexts } from '../../i18n/texts.js';
import { Button } from '../../ui/button.js';
import { FailureNotice } from '../../ui/failure-notice.js';
import { sendTexts } from './texts.js';

/** Says why the message was not accepted. A person who opted out has a page that says when. */
export function SendFailure({ failure, recipient }: { failure: unknown; recipient: string }) {
  const t = useTexts(sendTexts);
  const why = (
    <Button asChild size="small">
      <Link to="/suppressions" search={{ phone: recipient }}>
        {t.whySuppressed}
      </Link>
    </Button>
  );
  return (
    <FailureNotice
      failure={failure}
      sentences={{ RECIPIENT_SUPPRESSED: t.suppressed }}
      actions={{ RECIPIENT_SUPPRESSED: why }}
    />
  );
}
