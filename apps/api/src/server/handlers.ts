/** The handler of each operation in the route table. The compiler reports a missing one. */
import type { OperationName } from '@kurir/contracts/dashboard';
import { acceptInvitation } from '../accounts/members/accept-invitation.js';
import { changeRole } from '../accounts/members/change-role.js';
import { changeMyEmail } from '../accounts/profile/change-my-email.js';
import { chooseLanguage } from '../accounts/profile/choose-language.js';
import { confirmMyEmail } from '../accounts/profile/confirm-my-email.js';
import { leaveAccount } from '../accounts/profile/leave-account.js';
import { openAccount } from '../accounts/profile/open-account.js';
import { renameMe } from '../accounts/profile/rename-me.js';
import { confirmSession } from '../accounts/confirm-session.js';
import { inviteMember } from '../accounts/members/invite-member.js';
import { exportAudit } from '../accounts/export-audit.js';
import { listRequests } from '../requests/list-requests.js';
import { listAudit } from '../accounts/list-audit.js';
import { listMembers } from '../accounts/members/list-members.js';
import { readInvitation } from '../accounts/members/read-invitation.js';
import { readMe } from '../accounts/read-me.js';
import { readSetup } from '../accounts/read-setup.js';
import { removeMember } from '../accounts/members/remove-member.js';
import { eraseAccount } from '../accounts/forgetting/erase-account.js';
import { eraseMe } from '../accounts/forgetting/erase-me.js';
import { exportAccount } from '../accounts/forgetting/export-account.js';
import { exportMe } from '../accounts/forgetting/export-me.js';
import { readAccountCountry } from '../accounts/read-account-country.js';
import { renameAccount } from '../accounts/rename-account.js';
import { setAccountCountry } from '../accounts/set-account-country.js';
import { revokeInvitation } from '../accounts/members/revoke-invitation.js';
import { switchAccount } from '../accounts/switch-account.js';
import { saveContact } from '../contacts/save-contact.js';
import { listContacts } from '../contacts/list-contacts.js';
import { exportContacts } from '../contacts/export-contacts.js';
import { checkContacts } from '../contacts/check-contacts.js';
import { listContactLists } from '../contacts/list-contact-lists.js';
import { changeContactLists } from '../contacts/change-contact-lists.js';
import { nameContacts } from '../contacts/name-contacts.js';
import { getContact } from '../contacts/get-contact.js';
import { updateContact } from '../contacts/update-contact.js';
import { deleteContact } from '../contacts/delete-contact.js';
import { cancelLink } from '../devices/cancel-link.js';
import { deleteDevice } from '../devices/delete-device.js';
import { createDevice } from '../devices/create-device.js';
import { deviceHealth } from '../devices/device-health.js';
import { deviceInfo } from '../devices/device-info.js';
import { disconnectDevice } from '../devices/disconnect-device.js';
import { linkDevice } from '../devices/link-device.js';
import { listDevices } from '../devices/list-devices.js';
import { reconnectDevice } from '../devices/reconnect-device.js';
import { updateDevice } from '../devices/update-device.js';
import { changeKey } from '../keys/change-key.js';
import { createKey } from '../keys/create-key.js';
import { debugSignature } from '../keys/debug-signature.js';
import { listKeys } from '../keys/list-keys.js';
import { revokeKey } from '../keys/revoke-key.js';
import { rotateKey } from '../keys/rotate-key.js';
import { listEvents } from '../events/list-events.js';
import { listRecentEvents } from '../events/list-recent-events.js';
import { streamEvents } from '../events/stream-events.js';
import { cancelMessage } from '../messages/cancel-message.js';
import { cancelMessages } from '../messages/cancel-messages.js';
import { chatPresence } from '../devices/chat-presence.js';
import { exportMessages } from '../messages/export-messages.js';
import { getConversation } from '../conversations/get-conversation.js';
import { listConversationMessages } from '../conversations/list-conversation-messages.js';
import { listConversations } from '../conversations/list-conversations.js';
import { markConversationRead } from '../conversations/mark-conversation-read.js';
import { getMessage } from '../messages/get-message.js';
import { listMessages } from '../messages/list-messages.js';
import { readMessageText } from '../messages/read-message-text.js';
import { retryMessage } from '../messages/retry-message.js';
import { sendBulk } from '../messages/send-bulk.js';
import { sendMessage } from '../messages/send-message.js';
import { accountInfo } from '../money/account-info.js';
import { choosePlan } from '../money/choose-plan.js';
import { getRenewal } from '../money/get-renewal.js';
import { latestPlan } from '../money/latest-plan.js';
import { downloadInvoice } from '../money/invoices/download-invoice.js';
import { readInvoiceDetails, setInvoiceDetails } from '../money/invoices/invoice-details.js';
import { listInvoices } from '../money/invoices/list-invoices.js';
import { listLedger } from '../money/list-ledger.js';
import { listPlans } from '../money/list-plans.js';
import { listRenewals } from '../money/list-renewals.js';
import { renewAccount } from '../money/renew-account.js';
import { chooseNotices } from '../notices/choose-notices.js';
import { listNoticeChoices } from '../notices/list-notice-choices.js';
import { listNotices } from '../notices/list-notices.js';
import { readNotices } from '../notices/read-notices.js';
import { operatorHandlers } from '../operators/operator-handlers.js';
import { readOverview } from '../reports/read-overview.js';
import { readReport } from '../reports/read-report.js';
import { listPhones } from '../sandbox/list-phones.js';
import { pretendScan } from '../sandbox/pretend-scan.js';
import { readPhone } from '../sandbox/read-phone.js';
import { writeFromPhone } from '../sandbox/write-from-phone.js';
import { addSuppressions } from '../suppressions/add-suppressions.js';
import { getOptOut } from '../suppressions/get-opt-out.js';
import { listSuppressions } from '../suppressions/list-suppressions.js';
import { removeSuppression } from '../suppressions/remove-suppression.js';
import { setOptOut } from '../suppressions/set-opt-out.js';
import { createContactImport } from '../contacts/imports/create-contact-import.js';
import { getContactImport } from '../contacts/imports/get-contact-import.js';
import { cancelContactImport } from '../contacts/imports/cancel-contact-import.js';
import { listRefusedRows } from '../contacts/imports/list-refused-rows.js';
import { exportRefusedRows } from '../contacts/imports/export-refused-rows.js';
import { createUpload } from '../uploads/create-upload.js';
import { addUploadPart } from '../uploads/add-upload-part.js';
import { getUpload } from '../uploads/get-upload.js';
import { createWebhook } from '../webhooks/create-webhook.js';
import { listWebhooks } from '../webhooks/list-webhooks.js';
import { getWebhook } from '../webhooks/get-webhook.js';
import { updateWebhook } from '../webhooks/update-webhook.js';
import { deleteWebhook } from '../webhooks/delete-webhook.js';
import { rotateWebhookSecret } from '../webhooks/rotate-webhook-secret.js';
import { pingWebhook } from '../webhooks/ping-webhook.js';
import { replayWebhook } from '../webhooks/replay-webhook.js';
import { listWebhookAttempts } from '../webhooks/list-webhook-attempts.js';
import { listFailedEvents } from '../webhooks/list-failed-events.js';
import { resendEvent } from '../webhooks/resend-event.js';
import { debugWebhook } from '../webhooks/debugger/debug-webhook.js';
import { createBroadcast } from '../broadcasts/create-broadcast.js';
import { addBroadcastRecipients } from '../broadcasts/add-broadcast-recipients.js';
import { checkBroadcast } from '../broadcasts/check-broadcast.js';
import { startBroadcast } from '../broadcasts/control/start-broadcast.js';
import { pauseBroadcast } from '../broadcasts/control/pause-broadcast.js';
import { resumeBroadcast } from '../broadcasts/control/resume-broadcast.js';
import { cancelBroadcast } from '../broadcasts/control/cancel-broadcast.js';
import { updateBroadcast } from '../broadcasts/update-broadcast.js';
import { testBroadcast } from '../broadcasts/test-broadcast.js';
import { listBroadcasts } from '../broadcasts/list-broadcasts.js';
import { getBroadcast } from '../broadcasts/get-broadcast.js';
import { listBroadcastRecipients } from '../broadcasts/list-broadcast-recipients.js';
import { exportBroadcastResults } from '../broadcasts/export-broadcast-results.js';
import { createTemplate } from '../templates/create-template.js';
import { listTemplates } from '../templates/list-templates.js';
import { previewTemplate } from '../templates/preview-template.js';
import { getTemplate } from '../templates/get-template.js';
import { listTemplateVersions } from '../templates/list-template-versions.js';
import { createTemplateVersion } from '../templates/create-template-version.js';
import { archiveTemplate } from '../templates/archive-template.js';
import type { Handler } from '../operations/operation-request.js';

export const handlers: { readonly [O in OperationName]: Handler<O> } = {
  sendMessage,
  sendBulk,
  chatPresence,
  listMessages,
  getConversation,
  listConversationMessages,
  listConversations,
  markConversationRead,
  addSuppressions,
  listSuppressions,
  removeSuppression,
  getOptOut,
  setOptOut,
  getMessage,
  cancelMessage,
  readMessageText,
  cancelMessages,
  renewAccount,
  getRenewal,
  createDevice,
  updateDevice,
  listDevices,
  linkDevice,
  cancelLink,
  reconnectDevice,
  disconnectDevice,
  deleteDevice,
  deviceHealth,
  deviceInfo,
  accountInfo,
  latestPlan,
  readSetup,
  readMe,
  switchAccount,
  chooseLanguage,
  renameMe,
  changeMyEmail,
  confirmMyEmail,
  leaveAccount,
  openAccount,
  confirmSession,
  eraseMe,
  exportMe,
  renameAccount,
  readAccountCountry,
  setAccountCountry,
  eraseAccount,
  exportAccount,
  listMembers,
  inviteMember,
  revokeInvitation,
  readInvitation,
  acceptInvitation,
  changeRole,
  removeMember,
  listAudit,
  exportAudit,
  listRequests,
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
  readReport,
  listPlans,
  choosePlan,
  listRenewals,
  listLedger,
  listInvoices,
  downloadInvoice,
  readInvoiceDetails,
  setInvoiceDetails,
  ...operatorHandlers,
  listEvents,
  listRecentEvents,
  streamEvents,
  listNotices,
  readNotices,
  listNoticeChoices,
  chooseNotices,
  createWebhook,
  listWebhooks,
  getWebhook,
  updateWebhook,
  deleteWebhook,
  rotateWebhookSecret,
  pingWebhook,
  replayWebhook,
  listWebhookAttempts,
  listFailedEvents,
  resendEvent,
  saveContact,
  listContacts,
  exportContacts,
  checkContacts,
  listContactLists,
  changeContactLists,
  nameContacts,
  getContact,
  updateContact,
  deleteContact,
  createUpload,
  addUploadPart,
  getUpload,
  createContactImport,
  getContactImport,
  cancelContactImport,
  listRefusedRows,
  exportRefusedRows,
  debugWebhook,
  createTemplate,
  createBroadcast,
  addBroadcastRecipients,
  checkBroadcast,
  startBroadcast,
  pauseBroadcast,
  resumeBroadcast,
  cancelBroadcast,
  updateBroadcast,
  testBroadcast,
  listBroadcasts,
  getBroadcast,
  listBroadcastRecipients,
  exportBroadcastResults,
  listTemplates,
  previewTemplate,
  getTemplate,
  listTemplateVersions,
  createTemplateVersion,
  archiveTemplate,
};
