/** The exports for broadcasts. */
export type { AudienceEnd, AudienceMapping, NewAudience } from './broadcasts/audience/audience-rows.js';
export {
  type AudiencePlace,
  type ClaimedAudience,
  countAudience,
  releaseAudience,
  renewAudience,
  takeAudience,
} from './broadcasts/audience/claim-audience.js';
export { type BroadcastText, readBroadcastText } from './broadcasts/state/broadcast-text.js';
export { type BroadcastChange, changeBroadcast } from './broadcasts/change-broadcast.js';
export { type BroadcastCheck, checkBroadcast } from './broadcasts/check-broadcast.js';
export {
  cancelBroadcast,
  cancelIdleBroadcasts,
  type Control,
  pauseBroadcast,
  resumeBroadcast,
  type ResumeScope,
  startBroadcast,
} from './broadcasts/control-broadcast.js';
export {
  type Addition,
  addRecipients,
  closeList,
  type BroadcastRules,
  createBroadcast,
  type NewBroadcast,
  readTemplateOf,
} from './broadcasts/create-broadcast.js';
export { driveBroadcast, readDriven } from './broadcasts/release/drive-broadcast.js';
export { type TestText, readTestText } from './broadcasts/read-test-text.js';
export { eraseBroadcastTexts, forgetBroadcasts } from './retention/forget-broadcasts.js';
export type { PlannedRow } from './broadcasts/plan-recipients.js';
export { endPlanning, noteFailedTry, storePlanned } from './broadcasts/planning/store-planned.js';
export {
  type BroadcastCounts,
  type BroadcastView,
  type CountedBroadcast,
  findBroadcast,
  listBroadcasts,
  listRecipients,
  readBroadcast,
  type RecipientOutcome,
  type RecipientView,
} from './broadcasts/read-broadcasts.js';
