import { useTexts } from '../i18n/texts.js';
import { Badge } from '../ui/badge.js';
import { toneOfState, type Webhook } from './state.js';
import { webhookTexts } from './texts.js';

export function WebhookBadge({ webhook }: { webhook: Webhook }) {
  const { states } = useTexts(webhookTexts);
  const { state } = webhook.health;
  return (
    <Badge dot tone={toneOfState[state]}>
      {states[state]}
    </Badge>
  );
}
