/** A problem that the person at the command line can solve. It is shown without a stack. */
export class PhoneError extends Error {}

/** The command is not valid. */
export class UsageError extends PhoneError {}
