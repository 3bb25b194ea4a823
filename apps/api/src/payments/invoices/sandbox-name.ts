/** The name of the built-in provider in the ledger. Its payments move no money. */
export const sandboxName = 'sandbox';
