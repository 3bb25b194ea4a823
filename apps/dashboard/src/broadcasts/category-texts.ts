import type { messageCategories } from '@kurir/contracts/dashboard';
import { defineTexts } from '../i18n/texts.js';

export type Category = (typeof messageCategories)[number];

export const categoryTexts = defineTexts<Record<Category, string>>(
  { authentication: 'Code', transactional: 'Information', marketing: 'Promotion' },
  { authentication: 'Kode', transactional: 'Informasi', marketing: 'Promosi' },
);
