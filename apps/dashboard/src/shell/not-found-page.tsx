import { Link } from '@tanstack/react-router';
import { useTexts } from '../i18n/texts.js';
import { Button } from '../ui/button.js';
import { Page } from '../ui/layout/page.js';
import { shellTexts } from './ground/texts.js';

export function NotFoundPage() {
  const t = useTexts(shellTexts);
  return (
    <Page title={t.notFound} note={t.notFoundNote}>
      <Button asChild look="primary" className="self-start">
        <Link to="/">{t.home}</Link>
      </Button>
    </Page>
  );
}
