/** The pages of the site and their order. A page that stands in no group is not published. */

export type Group = {
  readonly title: { readonly en: string; readonly id: string };
  /** Names of files in `docs`, without the ending. */
  readonly pages: readonly string[];
};

export const groups: readonly Group[] = [
  { title: { en: 'Start', id: 'Mulai' }, pages: ['shop-owners', 'quick-start', 'testing', 'networks'] },
  {
    title: { en: 'Send', id: 'Mengirim' },
    pages: ['codes', 'broadcasts', 'templates', 'contacts', 'opting-out'],
  },
  {
    title: { en: 'Receive', id: 'Menerima' },
    pages: ['bots', 'conversations', 'webhooks', 'events', 'moving-in'],
  },
  {
    title: { en: 'The API', id: 'API' },
    pages: ['signing', 'errors', 'idempotency', 'requests', 'operations'],
  },
  {
    title: { en: 'Account and devices', id: 'Akun dan perangkat' },
    pages: ['renewal', 'notices', 'device-health', 'whatsapp'],
  },
  {
    title: { en: 'Run your own', id: 'Menjalankan sendiri' },
    pages: [
      'docker',
      'kubernetes',
      'configuration',
      'postgres',
      'redis',
      'backup',
      'upgrades',
      'metrics',
      'alerts',
      'traces',
      'keys',
      'security',
      'data-protection',
      'reliability',
      'performance',
    ],
  },
];

export const pageNames: readonly string[] = groups.flatMap(({ pages }) => pages);
