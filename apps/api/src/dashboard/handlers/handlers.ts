/** One handler for each operation that only people use; the compiler names what is missing. */
import type { OwnDashboardOperation } from '@kurir/contracts/dashboard';
import type { DashboardHandler } from '../dashboard-request.js';
import { acceptInvitation } from './accept-invitation.js';
import { adminChangePlan } from './admin-change-plan.js';
import { adminCreatePlan } from './admin-create-plan.js';
import { adminGrantPeriod } from './admin-grant-period.js';
import { adminListAccounts } from './admin-list-accounts.js';
import { adminListAudit } from './admin-list-audit.js';
import { adminListLanes } from './admin-list-lanes.js';
import { adminListPlans } from './admin-list-plans.js';
import { adminListWorkers } from './admin-list-workers.js';
import { changeKey } from './change-key.js';
import { changeRole } from './change-role.js';
import { choosePlan } from './choose-plan.js';
import { confirmSession } from './confirm-session.js';
import { createKey } from './create-key.js';
import { debugSignature } from './debug-signature.js';
import { exportMessages } from './export-messages.js';
import { inviteMember } from './invite-member.js';
import { listAudit } from './list-audit.js';
import { listInvoices } from './list-invoices.js';
import { listKeys } from './list-keys.js';
import { listLedger } from './list-ledger.js';
import { listMembers } from './list-members.js';
import { listPhones } from './list-phones.js';
import { listPlans } from './list-plans.js';
import { listRenewals } from './list-renewals.js';
import { pretendScan } from './pretend-scan.js';
import { readInvitation } from './read-invitation.js';
import { readMe } from './read-me.js';
import { readOverview } from './read-overview.js';
import { readPhone } from './read-phone.js';
import { readSetup } from './read-setup.js';
import { removeMember } from './remove-member.js';
import { renameAccount } from './rename-account.js';
import { retryMessage } from './retry-message.js';
import { revokeInvitation } from './revoke-invitation.js';
import { revokeKey } from './revoke-key.js';
import { rotateKey } from './rotate-key.js';
import { streamEvents } from './stream-events.js';
import { switchAccount } from './switch-account.js';
import { writeFromPhone } from './write-from-phone.js';

export const dashboardHandlers: { readonly [O in OwnDashboardOperation]: DashboardHandler<O> } = {
  readSetup,
  readMe,
  switchAccount,
  confirmSession,
  renameAccount,
  listMembers,
  inviteMember,
  revokeInvitation,
  readInvitation,
  acceptInvitation,
  changeRole,
  removeMember,
  listAudit,
  pretendScan,
  listPhones,
  readPhone,
  writeFromPhone,
  exportMessages,
  retryMessage,
  listKeys,
  createKey,
  changeKey,
  rotateKey,
  revokeKey,
  debugSignature,
  readOverview,
  listPlans,
  choosePlan,
  listRenewals,
  listLedger,
  listInvoices,
  adminListAccounts,
  adminGrantPeriod,
  adminListPlans,
  adminCreatePlan,
  adminChangePlan,
  adminListWorkers,
  adminListLanes,
  adminListAudit,
  streamEvents,
};
