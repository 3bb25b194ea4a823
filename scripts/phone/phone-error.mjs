/** What the person at the command line must put right; shown without a stack. */
export class PhoneError extends Error {}

/** The command itself was not understood. */
export class UsageError extends PhoneError {}
