/** The language of the pages in this browser, and of the person's mails. */
import type { Language } from '@kurir/contracts/dashboard';
import { useCallback, useEffect } from 'react';
import { useCall } from '../http/use-call.js';
import { chooseLanguage, currentLanguage } from '../i18n/language.js';
import { useMe } from './me.js';

/** Changes the pages at once, and the mails from now on. If the gateway does not store it, the pages change all the same. */
export function useChooseLanguage(): (language: Language) => void {
  const { mutate } = useCall('chooseLanguage', ['readMe']);
  return useCallback(
    (language) => {
      chooseLanguage(language);
      mutate({ body: { language } });
    },
    [mutate],
  );
}

/** A person without a language gets that of the pages. */
export function useFirstLanguage(): void {
  const { language } = useMe().user;
  const { mutate } = useCall('chooseLanguage', ['readMe']);
  useEffect(() => {
    if (language === null) mutate({ body: { language: currentLanguage() } });
  }, [language, mutate]);
}
