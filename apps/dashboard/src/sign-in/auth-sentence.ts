import { AuthFailure } from '../http/auth.js';
import { ApiFailure } from '../http/api-failure.js';
import { failureSentence } from '../form/failure-sentence.js';
import type { Language } from '../i18n/language.js';
import type { signInTexts } from './texts.js';

type SignInTexts = (typeof signInTexts)['en'];

/** Returns the sentence for a failure. No sentence reveals whether an address has an account. */
export function authSentence(failure: unknown, t: SignInTexts, refused: string, language: Language): string {
  if (failure instanceof ApiFailure) return failureSentence(failure, language);
  if (!(failure instanceof AuthFailure)) return t.failed;
  if (failure.status === 429) return t.tooMany(failure.waitMinutes);
  if (failure.code === 'PASSWORD_TOO_COMMON') return t.tooCommon;
  if (failure.code === 'EMAIL_NOT_VERIFIED') return t.confirmFirst;
  return failure.status < 500 ? refused : t.failed;
}
