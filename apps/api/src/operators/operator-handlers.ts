/** The handlers of the operations for operators. */
import { adminChangePlan } from './admin-change-plan.js';
import { adminCreatePlan } from './admin-create-plan.js';
import { adminGrantPeriod } from './accounts/admin-grant-period.js';
import { adminListAccounts } from './accounts/admin-list-accounts.js';
import { adminListAudit } from './admin-list-audit.js';
import { adminListLanes } from './admin-list-lanes.js';
import { adminListPlans } from './admin-list-plans.js';
import { adminListWebhooks } from './admin-list-webhooks.js';
import { adminListWorkers } from './admin-list-workers.js';
import { adminShowAccount } from './accounts/admin-show-account.js';
import { adminResumeAccount, adminSuspendAccount } from './accounts/admin-suspend-account.js';
import { adminShowGateway } from './admin-show-gateway.js';

export const operatorHandlers = {
  adminChangePlan,
  adminCreatePlan,
  adminGrantPeriod,
  adminListAccounts,
  adminListAudit,
  adminListLanes,
  adminListPlans,
  adminListWebhooks,
  adminListWorkers,
  adminResumeAccount,
  adminShowAccount,
  adminShowGateway,
  adminSuspendAccount,
} as const;
