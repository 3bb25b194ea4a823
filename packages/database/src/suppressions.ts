/** The exports for suppressions and opting out. */
export {
  listSuppressions,
  readOptOut,
  type SuppressionFilter,
  type SuppressionView,
  writeOptOut,
} from './suppressions/list-suppressions.js';
export { settleSuppressions } from './suppressions/settle-suppressions.js';
export { liftSuppression, suppress, type Suppressed, type SuppressionWish } from './suppressions/suppress.js';
