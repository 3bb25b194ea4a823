/** The exports for a restored backup. */
export { type SettledRestore, settleRestored } from './restore/settle-restored.js';
