/** Reads a number as a person typed it. Without a country code it belongs to the country of the account. */
import { useEffect, useState } from 'react';

/** Returns digits with the country code. A text that is no number stays as it is. */
export const readPhone = async (text: string, country: string): Promise<string> =>
  (await import('./canonical-phone.js')).canonicalPhone(text, country);

/** The digits of a text that changes while somebody types. Before the rules have loaded, it is the text. */
export function usePhoneOf(text: string, country: string): string {
  const [read, setRead] = useState({ text: '', phone: '' });
  useEffect(() => {
    let isStale = false;
    void readPhone(text, country).then((phone) => {
      if (!isStale) setRead({ text, phone });
    });
    return () => {
      isStale = true;
    };
  }, [text, country]);
  return read.text === text ? read.phone : text;
}
