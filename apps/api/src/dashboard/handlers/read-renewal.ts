import type { DashboardHandler } from '../dashboard-request.js';
import { readShownRenewal } from '../../handlers/get-renewal.js';

export const readRenewal: DashboardHandler<'readRenewal'> = ({ visitor, params }, { database }) =>
  readShownRenewal(database, visitor.membership.accountId, params.renewal_id);
