/** The texts of the frame and the lists of pages, in both languages. */
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { DefaultTheme, LocaleConfig } from 'vitepress';
import { titleOf } from '../pages/clean-markdown.js';
import { groups } from '../pages/page-list.js';
import { readOpenApi, referenceItems, roomsOf } from '../reference/reference-pages.js';

type Language = 'en' | 'id';

const inEnglish = ' (bahasa Inggris)';

function sidebarOf(root: string, language: Language): DefaultTheme.SidebarItem[] {
  const itemOf = (name: string): DefaultTheme.SidebarItem => {
    const translated = join(root, `docs/id/${name}.md`);
    const isTranslated = language === 'id' && existsSync(translated);
    const title = titleOf(readFileSync(isTranslated ? translated : join(root, `docs/${name}.md`), 'utf8'));
    if (isTranslated) return { text: title, link: `/id/${name}` };
    return { text: language === 'id' ? title + inEnglish : title, link: `/${name}` };
  };
  return groups.map(({ title, pages }) => ({ text: title[language], collapsed: false, items: pages.map(itemOf) }));
}

/** Leads to the same page in the other language, or to its first page. It runs in the browser without this module. */
const otherLanguage: DefaultTheme.I18nRouting = (data, _route, target) =>
  String(data.frontmatter.value['translation'] ?? (target === 'root' ? '/' : `/${target}/`));

const english = (root: string): DefaultTheme.Config => ({
  nav: [
    { text: 'Guides', link: '/', activeMatch: '^/$' },
    { text: 'Reference', link: '/reference', activeMatch: '^/reference' },
    { text: 'Changelog', link: '/changelog' },
  ],
  sidebar: {
    '/reference': [
      { text: 'All operations', link: '/reference' },
      { text: 'Event types', link: '/reference/event-types' },
      ...referenceItems(roomsOf(readOpenApi(root))),
    ],
    '/': sidebarOf(root, 'en'),
  },
  outline: { level: [2, 3], label: 'On this page' },
  docFooter: { prev: 'Previous page', next: 'Next page' },
  langMenuLabel: 'Language',
  notFound: {
    title: 'There is no such page',
    quote: 'The address may be old or mistyped. The search finds every page.',
    linkText: 'To the first page',
  },
});

const indonesian = (root: string): DefaultTheme.Config => ({
  nav: [
    { text: 'Panduan', link: '/id/', activeMatch: '^/id/$' },
    { text: 'Referensi (Inggris)', link: '/reference' },
    { text: 'Perubahan (Inggris)', link: '/changelog' },
  ],
  sidebar: { '/id/': sidebarOf(root, 'id') },
  outline: { level: [2, 3], label: 'Di halaman ini' },
  docFooter: { prev: 'Halaman sebelumnya', next: 'Halaman berikutnya' },
  langMenuLabel: 'Bahasa',
  darkModeSwitchLabel: 'Tampilan',
  lightModeSwitchTitle: 'Pakai tampilan terang',
  darkModeSwitchTitle: 'Pakai tampilan gelap',
  sidebarMenuLabel: 'Menu',
  returnToTopLabel: 'Kembali ke atas',
  skipToContentLabel: 'Langsung ke isi',
  notFound: {
    title: 'Halaman ini tidak ada',
    quote: 'Alamatnya mungkin sudah lama atau salah ketik. Coba cari di atas.',
    linkText: 'Ke halaman pertama',
    linkLabel: 'Ke halaman pertama',
  },
});

const search = (
  buttonText: string,
  modal: NonNullable<DefaultTheme.LocalSearchOptions['translations']>['modal'],
): Partial<DefaultTheme.LocalSearchOptions> => ({
  translations: { button: { buttonText, buttonAriaLabel: buttonText }, ...(modal ? { modal } : {}) },
});

/** The texts of the search in Indonesian. English is the default of the theme. */
export const searchLocales: NonNullable<DefaultTheme.LocalSearchOptions['locales']> = {
  id: search('Cari', {
    displayDetails: 'Tampilkan rincian',
    resetButtonTitle: 'Kosongkan pencarian',
    backButtonTitle: 'Tutup pencarian',
    noResultsText: 'Tidak ada hasil untuk',
    footer: { selectText: 'pilih', navigateText: 'pindah', closeText: 'tutup' },
  }),
};

export const locales = (root: string): LocaleConfig<DefaultTheme.Config> => ({
  root: {
    label: 'English',
    lang: 'en',
    description: 'How to send and receive messages with Kurir.',
    themeConfig: { ...english(root), i18nRouting: otherLanguage },
  },
  id: {
    label: 'Bahasa Indonesia',
    lang: 'id',
    description: 'Cara mengirim dan menerima pesan dengan Kurir.',
    themeConfig: { ...indonesian(root), i18nRouting: otherLanguage },
  },
});
