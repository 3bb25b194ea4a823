// Runs before the first paint, so that the page never shows another theme than the chosen one for a moment.
// It is a file of its own, because the content security policy allows no inline script.
(() => {
  try {
    const theme = localStorage.getItem('kurir.theme');
    if (theme === 'light' || theme === 'dark') document.documentElement.dataset.theme = theme;
    const language = localStorage.getItem('kurir.language') ?? navigator.language.slice(0, 2);
    document.documentElement.lang = language === 'id' ? 'id' : 'en';
  } catch {
    // The browser forbids storage: keep the system's theme and `lang="en"`.
  }
})();
