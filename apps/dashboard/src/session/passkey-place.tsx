import type { ReactNode } from 'react';
import { defineTexts, useTexts } from '../i18n/texts.js';
import { Notice } from '../ui/notice.js';
import { namedAddressOf } from './named-host.js';

const texts = defineTexts(
  {
    numeric: 'Browsers do not allow passkeys at a numeric address.',
    open: 'Open this page at localhost',
    askName: 'Open Kurir at its domain name, then use your passkey there.',
  },
  {
    numeric: 'Browser tidak mengizinkan passkey pada alamat berupa angka.',
    open: 'Buka halaman ini di localhost',
    askName: 'Buka Kurir lewat nama domainnya, lalu pakai passkey di sana.',
  },
);

/** Shows its children where passkeys work. At an IP address it says where they do. */
export function PasskeyPlace({ children }: { children: ReactNode }) {
  const t = useTexts(texts);
  const place = namedAddressOf(location.href);
  if (place.kind === 'name') return children;
  return (
    <Notice>
      <p>{t.numeric}</p>
      {place.named === null ? (
        <p>{t.askName}</p>
      ) : (
        <a href={place.named} className="font-medium text-accent underline">
          {t.open}
        </a>
      )}
    </Notice>
  );
}
