import { Link } from '@tanstack/react-router';
import { MapPinOff } from 'lucide-react';
import { useTexts } from '../i18n/texts.js';
import { Button } from '../ui/button.js';
import { EmptyState } from '../ui/layout/empty-state.js';
import { RoutePicture } from '../ui/layout/route-picture.js';
import { shellTexts } from './texts.js';

export function NotFoundPage() {
  const t = useTexts(shellTexts);
  return (
    <EmptyState
      picture={
        <RoutePicture>
          <MapPinOff />
        </RoutePicture>
      }
      title={t.notFound}
      actions={
        <Button asChild look="primary">
          <Link to="/">{t.home}</Link>
        </Button>
      }
    >
      {t.notFoundNote}
    </EmptyState>
  );
}
