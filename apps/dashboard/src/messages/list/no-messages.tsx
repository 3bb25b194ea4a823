import { Link } from '@tanstack/react-router';
import { MessageSquareText, SearchX } from 'lucide-react';
import { useTexts } from '../../i18n/texts.js';
import { Button } from '../../ui/button.js';
import { EmptyState } from '../../ui/layout/empty-state.js';
import { RoutePicture } from '../../ui/layout/route-picture.js';
import { messageTexts } from '../texts.js';

export function NoMessages({ filtered }: { filtered: boolean }) {
  const t = useTexts(messageTexts);
  if (filtered) {
    return (
      <EmptyState
        picture={
          <RoutePicture>
            <SearchX />
          </RoutePicture>
        }
        title={t.nothingTitle}
        actions={
          <Button asChild>
            <Link to="/messages" search={{}}>
              {t.clear}
            </Link>
          </Button>
        }
      >
        {t.nothingNote}
      </EmptyState>
    );
  }
  return (
    <EmptyState
      picture={
        <RoutePicture>
          <MessageSquareText />
        </RoutePicture>
      }
      title={t.emptyTitle}
      actions={
        <Button asChild look="primary">
          <Link to="/send">{t.send}</Link>
        </Button>
      }
    >
      {t.emptyNote}
    </EmptyState>
  );
}
