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
  listMaxMessages: 100,
  listDefaultMessages: 50,
  renewalPaymentHours: 24,
  /** Tries without an answer after which a message is `unknown`. */
  maxUnansweredAttempts: 3,
} as const;
