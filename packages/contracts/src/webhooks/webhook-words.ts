/** The words of webhooks and of the attempts to deliver an event to them. */
export const webhookModes = ['parallel', 'ordered'] as const;
export type WebhookMode = (typeof webhookModes)[number];

/** Why Kurir disabled a webhook. */
export const webhookDisabledReasons = ['gone', 'failing'] as const;
export type WebhookDisabledReason = (typeof webhookDisabledReasons)[number];

/** `probed`: a failure while the webhook is only probed. It uses no try. */
export const attemptOutcomes = ['delivered', 'retrying', 'failed', 'probed'] as const;
export type AttemptOutcome = (typeof attemptOutcomes)[number];

/** Why an attempt failed, apart from the status. Each sentence says what to do. */
export const webhookErrors = {
  timeout: 'No answer came within 15 seconds. Answer first, and do the work afterwards.',
  connection_refused: 'Nothing listens at this address and port. Start the program, or correct the port.',
  connection_reset: 'The server closed the connection before it answered. Look into its log at this time.',
  connection_failed: 'Kurir could not connect. Check the address and the firewall.',
  dns: 'The name of the host leads to no address. Correct the name, or its DNS record.',
  address_not_allowed: 'The name leads to an address that is not public. Use an address that the internet can reach.',
  tls: 'The certificate is not valid for this name, or is expired or incomplete. Renew it, with its whole chain.',
  redirect: 'The server redirects. Kurir does not follow: enter the address where the redirect leads.',
  too_large: 'The answer is too large. Answer with a short body, or with none.',
  bad_answer: 'The answer is no valid HTTP. Check that the port speaks HTTP, and http or https.',
} as const;
export type WebhookError = keyof typeof webhookErrors;
// The record's own keys; Object.keys only knows `string`.
export const webhookErrorWords = Object.keys(webhookErrors) as [WebhookError, ...WebhookError[]];
