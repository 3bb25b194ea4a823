import type { DashboardData } from '@kurir/contracts/dashboard';
import type { Language } from '../i18n/language.js';

export type Plan = DashboardData<'listPlans'>['plans'][number];
export type Party = DashboardData<'readInvoiceDetails'>;
export type Invoice = DashboardData<'listInvoices'>['invoices'][number];

const dayMs = 86_400_000;

/** The days of the period before that the invoice's period goes on with. */
export const restDaysOf = ({ period_start: start, period_end: end, duration_days: days }: Invoice): number =>
  Math.round((Date.parse(end) - Date.parse(start)) / dayMs) - days;

/** The gateway calls the period before the first payment `Trial`. */
const trial = { en: 'Trial', id: 'Uji coba' } as const;

export const planName = (plan: string, language: Language): string => (plan === trial.en ? trial[language] : plan);
