/** The limits that a caller can meet, with their units. */
export const limits = {
  messageMaxCodePoints: 4096,
  clientRefMaxLength: 64,
  ttlMinSeconds: 30,
  ttlMaxSeconds: 86_400,
  otpDefaultTtlSeconds: 300,
  sendAtMaxDays: 30,
  /** A `send_at` at most this far in the past means now: the caller's clock is late. */
  sendAtMaxLateSeconds: 60,
  bulkMaxMessages: 1000,
  /** The most messages that one `cancelMessages` cancels. */
  cancelMaxMessages: 10_000,
  bodyMaxBytes: 1024 * 1024,
  bulkBodyMaxBytes: 8 * 1024 * 1024,
  timestampMaxPastSeconds: 300,
  timestampMaxFutureSeconds: 60,
  presenceTimeoutMs: 3_000,
  presenceWorthlessAfterMs: 10_000,
  disconnectTimeoutMs: 10_000,
  /** A device still accepts messages for this long after it lost its connection. */
  reconnectGraceSeconds: 60,
  deviceNameMaxLength: 64,
  paceMaxPerMinute: 600,
  proxyMaxLength: 512,
  jitterMaxMs: 5_000,
  typingMaxMs: 5_000,
  newContactsMaxPerDay: 100_000,
  accountNameMaxLength: 64,
  invoiceNameMaxLength: 200,
  invoiceTaxNumberMaxLength: 40,
  invoiceAddressMaxLength: 500,
  /** How long a new account may send before it pays. The number of messages is a setting. */
  trialDays: 7,
  /** The devices of an account that has only a trial, or no running period. */
  trialMaxDevices: 2,
  /** The devices of one account that may be linked at the same time. Each is a connection to the network. */
  pairingMaxDevices: 5,
  linksPerHour: 60,
  invitationDays: 7,
  /** How long a code, a passkey or a password counts for operations that are marked `confirmed`. */
  confirmationMinutes: 10,
  keyNameMaxLength: 64,
  /** The keys of one account that are not revoked. */
  keysMax: 20,
  allowedIpsMax: 50,
  rotationDefaultHours: 24,
  rotationMaxHours: 24 * 30,
  /** The phones on one page of the sandbox. Each is one request to the simulated network. */
  phonesMax: 20,
  phoneSearchMaxLength: 32,
  reportMaxHours: 24 * 7,
  reportMaxDays: 30,
  /** The devices, keys and reasons of a report that have the most messages. */
  reportTop: 5,
  exportMaxMessages: 100_000,
  exportMaxAuditEntries: 100_000,
  requestLogDays: 7,
  /** The log of requests has so many successes, and so many refusals, for each key and minute. */
  requestLogPerMinute: 120,
  /** The same of requests whose sender did not prove that it has the key. */
  requestLogUnsignedPerMinute: 20,
  requestLogAccountPerMinute: 300,
  requestLogAccountUnsignedPerMinute: 60,
  /** How long the audit log keeps the address of a caller. */
  auditAddressDays: 90,
  /** The longest body that `debugSignature` accepts, in characters. */
  debugBodyMaxLength: 64 * 1024,
  listMaxMessages: 100,
  listDefaultMessages: 50,
  renewalPaymentHours: 24,
  feedDefaultEvents: 100,
  feedMaxEvents: 1000,
  webhooksMax: 20,
  webhookUrlMaxLength: 2048,
  webhookDescriptionMaxLength: 200,
  webhookMaxPerSecond: 1_000,
  /** How long the old secret of a webhook still signs after a rotation. */
  webhookRotationHours: 24,
  feedMaxWaitSeconds: 25,
  broadcastNameMaxLength: 100,
  broadcastMaxDevices: 100,
  broadcastMaxPacePerMinute: 60_000,
  broadcastMaxRowsOfRequest: 10_000,
  windowMinMinutes: 60,
  maxPerPersonADay: 100,
  /** The guards of a broadcast look at so many of the latest messages of a device. */
  guardOutcomes: 50,
  /** One that nobody starts or resumes is cancelled this long after its last change. */
  broadcastIdleDays: 30,
  /** The rows of a list. */
  broadcastMaxRecipients: 1_000_000,
  /** A number as somebody wrote it. */
  broadcastWrittenNumberMaxLength: 64,
  templateNameMaxLength: 64,
  /** A template with picks may be longer than the message that it makes. */
  templateMaxCodePoints: 8192,
  templateFooterMaxCodePoints: 200,
  templatePreviewRows: 20,
  /** The values of one recipient. */
  templateValuesMax: 50,
  templateValueNameMaxLength: 64,
  templateValueMaxLength: 4096,
  /** The numbers that one request suppresses. */
  suppressionsMax: 1000,
  optOutWordsMax: 20,
  optOutReplyMaxCodePoints: 1_000,
  contactNameMaxLength: 200,
  /** The attributes of one contact. */
  attributesMax: 50,
  attributeKeyMaxLength: 64,
  attributeValueMaxLength: 500,
  /** The lists that one request names. */
  listsMax: 50,
  listNameMaxLength: 64,
  consentSourceMaxLength: 200,
  /** The numbers of one `checkContacts`. */
  checkContactsMax: 50,
  /** So many numbers in one look-up of names. A page of a list has no more rows. */
  contactNamesMax: 200,
  /** The most contacts that one `changeContactLists` changes. */
  changeListsMaxContacts: 10_000,
  uploadMaxBytes: 200_000_000,
  uploadMaxRows: 1_000_000,
  uploadPartMaxBytes: 6_000_000,
  uploadPartsMax: 1_000,
  /** The uploads of one account that are kept at the same time. */
  uploadsMax: 10,
  /** How long the parts of an upload are kept, if nothing reads them before. */
  uploadKeptHours: 24,
  uploadPreviewRows: 20,
  /** The name of a column in a mapping. */
  columnNameMaxLength: 104,
  fileNameMaxLength: 200,
  /** The imports of one account that wait or run at the same time. */
  importsMax: 10,
  /** How long an import and its refused rows are kept. */
  importKeptDays: 30,
  /** A refused value is shown up to this length. */
  refusedValueMaxLength: 100,
  /** The cells of a longer refused row are not kept. */
  refusedRowMaxLength: 20_000,
} as const;
