/** An error that the person at the command line can correct. It is shown without a stack. */
export class CommandError extends Error {
  override readonly name = 'CommandError';
}
