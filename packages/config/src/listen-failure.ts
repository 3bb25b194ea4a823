/** Says which settings help if a port cannot be opened. Returns null for other errors. */
export function explainListenFailure(error: unknown, names: readonly string[]): string | null {
  const cannotListen = error instanceof Error && 'syscall' in error && error.syscall === 'listen';
  return cannotListen ? `${error.message}. Set ${names.slice(0, -1).join(', ')} or ${names.at(-1)}.` : null;
}
