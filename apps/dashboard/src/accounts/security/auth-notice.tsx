import { AuthFailure } from '../../http/auth.js';
import { ApiFailure } from '../../http/api-failure.js';
import { useTexts } from '../../i18n/texts.js';
import { Notice } from '../../ui/notice.js';
import { securityTexts } from './texts.js';

/** Shows why the sign-in library refused a request. `refused` is this form's sentence for an ordinary refusal. */
export function AuthNotice({ failure, refused }: { failure: Error | null; refused: string }) {
  const t = useTexts(securityTexts);
  if (failure === null) return null;
  const sentence = () => {
    if (failure instanceof ApiFailure) return failure.message;
    if (!(failure instanceof AuthFailure)) return t.failed;
    if (failure.status === 429) return t.tooMany;
    if (failure.code === 'SESSION_NOT_FRESH') return t.notFresh;
    return failure.status < 500 ? refused : t.failed;
  };
  return (
    <Notice tone="bad" live>
      {sentence()}
    </Notice>
  );
}
