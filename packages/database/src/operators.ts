/** The exports for the pages of operators. */
export { type AccountDetail, readAccountDetail } from './reports/account-detail.js';
