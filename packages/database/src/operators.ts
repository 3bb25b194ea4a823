/** The exports for the pages of operators. */
export { resumeAccount, suspendAccount } from './operators/suspend-account.js';
export { type AccountDetail, readAccountDetail } from './reports/account-detail.js';
