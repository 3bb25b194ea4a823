/** The theme of VitePress in the colours of the dashboard. It loads no fonts. */
import type { Theme } from 'vitepress';
import base from 'vitepress/theme-without-fonts';
import { defineAsyncComponent, defineComponent, h } from 'vue';
import { useChosenLanguage } from './chosen-language.js';
import { useChosenTab } from './chosen-tab.js';
import { DashboardLink } from './dashboard-link.js';
import { useSearchOfAddress } from './open-search.js';
import './theme.css';

const theme: Theme = {
  extends: base,
  // Only pages of the reference load the form.
  enhanceApp({ app }) {
    app.component(
      'TryForm',
      defineAsyncComponent(() => import('./try/try-form.js')),
    );
  },
  Layout: defineComponent(() => {
    useChosenLanguage();
    useChosenTab();
    useSearchOfAddress();
    return () =>
      h(base.Layout, null, {
        'nav-bar-content-after': () => h(DashboardLink),
        'nav-screen-content-after': () => h(DashboardLink),
      });
  }),
};

export default theme;
