/** Sentences for the reasons why a recipient gets no message. */
import { type SkipReason, skipSentences } from '@kurir/contracts/dashboard';
import { defineTexts } from '../i18n/texts.js';

export const skipTexts = defineTexts<Record<SkipReason, string>>(skipSentences.en, skipSentences.id);
