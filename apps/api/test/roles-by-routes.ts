/**
 * A second, handwritten list of the role that each route of the dashboard needs. A changed role must change here too,
 * so that a reviewer sees it. `confirmed` means that a person with a second factor must have confirmed it recently.
 */
import type { OperationNameForPeople, OperationForPeople } from '@kurir/contracts/dashboard';

type Access = OperationForPeople['access'];

export const rolesByRoutes = {
  readSetup: 'anyone',
  readMe: 'signed-in',
  switchAccount: 'signed-in',
  confirmSession: 'signed-in',
  eraseMe: 'signed-in confirmed',
  exportMe: 'signed-in confirmed',
  eraseAccount: 'owner confirmed',
  exportAccount: 'owner confirmed',
  renameAccount: 'owner',
  listMembers: 'viewer',
  inviteMember: 'owner confirmed',
  revokeInvitation: 'owner',
  readInvitation: 'anyone',
  acceptInvitation: 'signed-in',
  changeRole: 'owner confirmed',
  removeMember: 'owner confirmed',
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
  deleteDevice: 'developer',
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
} as const satisfies Record<OperationNameForPeople, Access | `${Access} confirmed`>;

export const accessOf = (operation: OperationNameForPeople): Access => {
  const [access] = rolesByRoutes[operation].split(' ');
  // The type of the table says that the first word is an access.
  return access as Access;
};
