/** The sentence for a failed request: that of its code, or of the field that the gateway refused. */
import type { ApiFailure } from '../http/api-failure.js';
import { failureTexts } from '../http/failure-texts.js';
import { type Language, useLanguage } from '../i18n/language.js';
import { fieldName } from './field-names.js';
import { fieldSentence } from './field-sentence.js';

export function failureSentence({ code, fault }: Pick<ApiFailure, 'code' | 'fault'>, language: Language): string {
  if (code !== 'INVALID_REQUEST' || fault === null)
    return failureTexts[language][code] ?? failureTexts[language].UNREADABLE;
  const name = fieldName(fault.field, language);
  const rule = fieldSentence(fault, language);
  return name === null ? `${failureTexts[language].INVALID_REQUEST} ${rule}` : `${name}: ${rule}`;
}

export function useFailureSentence(): (failure: Pick<ApiFailure, 'code' | 'fault'>) => string {
  const language = useLanguage();
  return (failure) => failureSentence(failure, language);
}
