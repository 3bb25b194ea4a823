/** A link with `?search=` opens the search with this text. The dashboard links here. */
import { onMounted } from 'vue';

/** The theme keeps the text of its search there. */
const storageKey = 'vitepress:local-search-filter';

export function useSearchOfAddress(): void {
  onMounted(() => {
    const text = new URLSearchParams(location.search).get('search');
    if (text === null) return;
    try {
      sessionStorage.setItem(storageKey, text);
    } catch {
      // The browser forbids storage: the search opens without the text.
    }
    window.dispatchEvent(new KeyboardEvent('keydown', { key: 'k', ctrlKey: true }));
  });
}
