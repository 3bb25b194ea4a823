import { Link } from '@tanstack/react-router';
import { ArrowLeft } from 'lucide-react';
import { useTexts } from '../../i18n/texts.js';
import { Button } from '../../ui/button.js';
import { conversationTexts } from '../texts.js';

/** A wide screen shows the list beside the chat and needs no way back. */
export function BackToList() {
  const t = useTexts(conversationTexts);
  return (
    <Button asChild look="quiet" size="icon" className="-ml-2 size-11 sm:size-11 lg:hidden">
      <Link to="/conversations" search={(search) => search} aria-label={t.back}>
        <ArrowLeft aria-hidden className="size-5" />
      </Link>
    </Button>
  );
}
