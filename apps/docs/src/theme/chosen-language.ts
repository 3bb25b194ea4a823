/** Keeps the language that a reader chose in a cookie, which the gateway reads at `/docs/`. */
import { onMounted, onUnmounted } from 'vue';

const secondsOfYear = 31_536_000;

function keep(language: string | null): void {
  if (language !== 'en' && language !== 'id') return;
  // biome-ignore lint/suspicious/noDocumentCookie: Firefox and Safari lack the newer interface, or have it since lately.
  document.cookie = `kurir_docs_language=${language}; Path=/docs; Max-Age=${secondsOfYear}; SameSite=Lax`;
}

/** Only the links of the menu of languages name a language. */
const onClick = ({ target }: Event): void =>
  keep(target instanceof Element ? (target.closest('a[hreflang]')?.getAttribute('hreflang') ?? null) : null);

export function useChosenLanguage(): void {
  onMounted(() => {
    keep(new URLSearchParams(location.search).get('lang'));
    document.addEventListener('click', onClick, true);
  });
  onUnmounted(() => document.removeEventListener('click', onClick, true));
}
