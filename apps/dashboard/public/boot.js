// Runs before the first paint. It sets the theme and the language, so that the page never shows others for a moment. If
// the code of the page does not come, it tries again and then says so. It is a file of its own, because the content
// security policy allows no inline script.
(() => {
  const texts = {
    en: { lost: 'The page did not load. Check your connection.', slow: 'The connection is slow …', again: 'Try again' },
    id: { lost: 'Halaman belum termuat. Periksa koneksi Anda.', slow: 'Koneksi sedang lambat …', again: 'Coba lagi' },
  };
  const page = document.documentElement;
  const reloadsMax = 2;
  const slowAfterMs = 10_000;

  const stored = (name) => {
    try {
      return localStorage.getItem(name);
    } catch {
      // The browser forbids storage.
      return null;
    }
  };
  const theme = stored('kurir.theme');
  if (theme === 'light' || theme === 'dark') page.dataset.theme = theme;
  page.lang = (stored('kurir.language') ?? navigator.language.slice(0, 2)) === 'id' ? 'id' : 'en';

  /** Counts in the address, because the browser may forbid storage. */
  const reloads = Number(new URLSearchParams(location.search).get('reloads') ?? 0);
  const addressWith = (count) => {
    const url = new URL(location.href);
    url.searchParams.delete('reloads');
    if (count > 0) url.searchParams.set('reloads', String(count));
    return url;
  };
  const reload = (count) => location.replace(addressWith(count));
  if (reloads > 0) history.replaceState(history.state, '', addressWith(0));

  const isThere = () => document.querySelector('main, [data-page]') !== null;

  const say = (text) => {
    if (isThere()) return;
    const [note, again] = document.querySelectorAll('#boot p, #boot button');
    note.textContent = text;
    again.textContent = texts[page.lang].again;
    again.hidden = false;
    again.addEventListener('click', () => reload(0));
  };

  let isLost = false;
  const lost = () => {
    if (isLost || isThere()) return;
    isLost = true;
    if (navigator.onLine && reloads < reloadsMax) setTimeout(() => reload(reloads + 1), 1_000 * (reloads + 1));
    else say(texts[page.lang].lost);
    addEventListener('online', () => reload(0));
  };
  // A module that does not come fails its script. Such an event does not bubble, but it can be captured.
  const onError = ({ target }) => {
    const isNeeded =
      target instanceof HTMLScriptElement || (target instanceof HTMLLinkElement && target.rel !== 'icon');
    if (!isNeeded) return;
    if (document.readyState === 'loading') addEventListener('DOMContentLoaded', lost);
    else lost();
  };
  addEventListener('error', onError, true);
  setTimeout(() => !isLost && say(texts[page.lang].slow), slowAfterMs);
})();
