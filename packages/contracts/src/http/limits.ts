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
  overviewMaxHours: 24 * 30,
  exportMaxMessages: 100_000,
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
} as const;
