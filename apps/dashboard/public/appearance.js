// Runs before the first paint, so that a chosen theme or language never flashes as the other. A file of its own: the
// content security policy allows no inline script.
(() => {
  try {
    const theme = localStorage.getItem('kurir.theme');
    if (theme === 'light' || theme === 'dark') document.documentElement.dataset.theme = theme;
    const language = localStorage.getItem('kurir.language') ?? navigator.language.slice(0, 2);
    document.documentElement.lang = language === 'id' ? 'id' : 'en';
  } catch {
    // Storage is forbidden: the system's theme and English it is.
  }
})();
