/** Shows the samples of every page in the language that the reader chose last. */
import { onContentUpdated } from 'vitepress';
import { onMounted, onUnmounted } from 'vue';

const storageKey = 'kurir.docs.language';

function read(): string | null {
  try {
    return localStorage.getItem(storageKey);
  } catch {
    // The browser forbids storage: each page begins with its first language.
    return null;
  }
}

function write(language: string): void {
  try {
    localStorage.setItem(storageKey, language);
  } catch {
    // The choice is lost with the page.
  }
}

/** The theme would scroll to a tab that a program clicks, so this sets the tab and its block itself. */
function show(group: Element, language: string): void {
  const tabs = [...group.querySelectorAll('label')];
  const index = tabs.findIndex((tab) => tab.dataset['title'] === language);
  const inputs = group.querySelectorAll('input');
  const blocks = group.querySelector('.blocks');
  if (index < 0 || blocks === null) return;
  for (const [place, input] of inputs.entries()) input.checked = place === index;
  for (const [place, block] of [...blocks.children].entries()) block.classList.toggle('active', place === index);
}

function showEverywhere(language: string | null): void {
  if (language !== null) for (const group of document.querySelectorAll('.vp-code-group')) show(group, language);
}

function remember({ target }: Event): void {
  if (!(target instanceof HTMLInputElement) || !target.matches('.vp-code-group input')) return;
  const language = target.labels?.[0]?.dataset['title'];
  if (language === undefined) return;
  write(language);
  showEverywhere(language);
}

export function useChosenTab(): void {
  onContentUpdated(() => showEverywhere(read()));
  onMounted(() => {
    document.addEventListener('change', remember);
    showEverywhere(read());
  });
  onUnmounted(() => document.removeEventListener('change', remember));
}
