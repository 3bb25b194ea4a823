import { AuthFailure } from '../../http/auth.js';
import { ApiFailure } from '../../http/api-failure.js';
import { isUnconfirmed } from '../../http/confirmation.js';
import { useFailureSentence } from '../../form/failure-sentence.js';
import { useTexts } from '../../i18n/texts.js';
import { Notice } from '../../ui/notice.js';
import { securityTexts } from './texts.js';

/** Shows why the sign-in library refused a request. `refused` is this form's sentence for an ordinary refusal. */
export function AuthNotice({ failure, refused }: { failure: Error | null; refused: string }) {
  const t = useTexts(securityTexts);
  const sentenceOf = useFailureSentence();
  if (failure === null) return null;
  const sentence = () => {
    if (failure instanceof ApiFailure) return sentenceOf(failure);
    if (!(failure instanceof AuthFailure)) return t.failed;
    if (failure.status === 429) return t.tooMany(failure.waitMinutes);
    if (isUnconfirmed(failure)) return t.declined;
    if (failure.code === 'PASSWORD_TOO_COMMON') return t.tooCommon;
    return failure.status < 500 ? refused : t.failed;
  };
  return (
    <Notice tone="bad" live>
      {sentence()}
    </Notice>
  );
}
