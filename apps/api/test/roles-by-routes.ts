/**
 * Who may use which route of the dashboard, written down a second time and by hand: whoever changes a role changes it
 * here too, and it is seen in the diff. `confirmed`: with two-factor on, only shortly after a code.
 */
import type { DashboardOperation, DashboardRoute } from '@kurir/contracts/dashboard';

type Access = DashboardRoute['access'];

export const rolesByRoutes = {
  readSetup: 'anyone',
  readMe: 'signed-in',
  switchAccount: 'signed-in',
  confirmSession: 'signed-in',
  renameAccount: 'owner',
  listMembers: 'viewer',
  inviteMember: 'owner confirmed',
  revokeInvitation: 'owner',
  readInvitation: 'anyone',
  acceptInvitation: 'signed-in',
  changeRole: 'owner confirmed',
  removeMember: 'owner',
  listAudit: 'developer',
  listDevices: 'viewer',
  deviceInfo: 'viewer',
  createDevice: 'developer',
  updateDevice: 'developer',
  linkDevice: 'developer',
  cancelLink: 'developer',
  pretendScan: 'developer',
  reconnectDevice: 'developer',
  disconnectDevice: 'developer',
  chatPresence: 'developer',
  listPhones: 'viewer',
  readPhone: 'viewer',
  writeFromPhone: 'developer',
  listMessages: 'viewer',
  exportMessages: 'viewer',
  getMessage: 'viewer',
  cancelMessage: 'developer',
  retryMessage: 'developer',
  cancelMessages: 'developer',
  sendMessage: 'developer',
  listKeys: 'viewer',
  createKey: 'developer confirmed',
  changeKey: 'developer confirmed',
  rotateKey: 'developer confirmed',
  revokeKey: 'developer',
  debugSignature: 'developer',
  readOverview: 'viewer',
  listPlans: 'viewer',
  accountInfo: 'viewer',
  latestPlan: 'viewer',
  choosePlan: 'owner',
  listRenewals: 'viewer',
  renewAccount: 'owner',
  getRenewal: 'viewer',
  listLedger: 'viewer',
  listInvoices: 'viewer',
  adminListAccounts: 'admin',
  adminGrantPeriod: 'admin confirmed',
  adminListPlans: 'admin',
  adminCreatePlan: 'admin confirmed',
  adminChangePlan: 'admin confirmed',
  adminListWorkers: 'admin',
  adminListLanes: 'admin',
  adminListAudit: 'admin',
  streamEvents: 'viewer',
} as const satisfies Record<DashboardOperation, Access | `${Access} confirmed`>;

export const accessOf = (operation: DashboardOperation): Access => {
  const [access] = rolesByRoutes[operation].split(' ');
  // The first word, by the type of the table.
  return access as Access;
};
