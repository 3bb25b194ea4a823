/** Every limit that a caller can run into, with its unit. The docs and the schemas read them here. */
export const limits = {
  messageMaxCodePoints: 4096,
  clientRefMaxLength: 64,
  ttlMinSeconds: 30,
  ttlMaxSeconds: 86_400,
  otpDefaultTtlSeconds: 300,
  sendAtMaxDays: 30,
  /** A `send_at` this far back is a clock that runs late, not a mistake: it means now. */
  sendAtMaxLateSeconds: 60,
  bulkMaxMessages: 1000,
  /** In one call that cancels by a filter. */
  cancelMaxMessages: 10_000,
  bodyMaxBytes: 1024 * 1024,
  bulkBodyMaxBytes: 8 * 1024 * 1024,
  timestampMaxPastSeconds: 300,
  timestampMaxFutureSeconds: 60,
  presenceTimeoutMs: 3_000,
  presenceWorthlessAfterMs: 10_000,
  disconnectTimeoutMs: 10_000,
  /** A device that lost its connection less than this ago still accepts sends. */
  reconnectGraceSeconds: 60,
  deviceNameMaxLength: 64,
  paceMaxPerMinute: 600,
  proxyMaxLength: 512,
  jitterMaxMs: 5_000,
  typingMaxMs: 5_000,
  newContactsMaxPerDay: 100_000,
  accountNameMaxLength: 64,
  /** What a new account may use before it pays; how many messages is a setting. */
  trialDays: 7,
  invitationDays: 7,
  /** How long a two-factor code counts for what asks for one. */
  confirmationMinutes: 10,
  keyNameMaxLength: 64,
  allowedIpsMax: 50,
  rotationDefaultHours: 24,
  rotationMaxHours: 24 * 30,
  overviewMaxHours: 24 * 30,
  exportMaxMessages: 100_000,
  /** What the signing debugger takes of a body, in characters. */
  debugBodyMaxLength: 64 * 1024,
  listMaxMessages: 100,
  listDefaultMessages: 50,
  renewalPaymentHours: 24,
} as const;
