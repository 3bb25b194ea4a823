/** The types and the forms of ids. Browsers can load this file; making an id needs Node (`new-id.ts`). */
export type MessageId = `msg_${string}`;
export type DeviceId = `dev_${string}`;
export type AccountId = `acc_${string}`;
export type PlanId = `pln_${string}`;
export type RenewalId = `rnw_${string}`;
export type WorkerId = `wrk_${string}`;
export type ApiKeyId = `kk_${string}`;
export type ConversationId = `cnv_${string}`;
/** A message that a person wrote to a device. */
export type InboundId = `inb_${string}`;
export type UserId = `usr_${string}`;
export type WebhookId = `whk_${string}`;
export type BroadcastId = `brc_${string}`;
export type ReplayId = `rpl_${string}`;
export type TemplateId = `tpl_${string}`;
export type ContactId = `con_${string}`;
export type UploadId = `upl_${string}`;
/** An import of contacts. */
export type ImportId = `imp_${string}`;

const idPattern = /^[a-z]{3}_[0-9a-hjkmnp-tv-z]{26}$/;

/** The beginning of the id says what the key is for. `text`: the id of a key, or of a person. */
export const isTestKey = (text: string): boolean => text.startsWith('kk_test_');

export function isMessageId(text: string): text is MessageId {
  return text.startsWith('msg_') && idPattern.test(text);
}

export function isRenewalId(text: string): text is RenewalId {
  return text.startsWith('rnw_') && idPattern.test(text);
}

export function isBroadcastId(text: string): text is BroadcastId {
  return text.startsWith('brc_') && idPattern.test(text);
}

export function isDeviceId(text: string): text is DeviceId {
  return text.startsWith('dev_') && idPattern.test(text);
}

export function isConversationId(text: string): text is ConversationId {
  return text.startsWith('cnv_') && idPattern.test(text);
}

export function isInboundId(text: string): text is InboundId {
  return text.startsWith('inb_') && idPattern.test(text);
}

export function isContactId(text: string): text is ContactId {
  return text.startsWith('con_') && idPattern.test(text);
}

export function isUploadId(text: string): text is UploadId {
  return text.startsWith('upl_') && idPattern.test(text);
}

export function isImportId(text: string): text is ImportId {
  return text.startsWith('imp_') && idPattern.test(text);
}
