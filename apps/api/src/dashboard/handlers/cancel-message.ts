import { recordAudit } from '@kurir/database';
import { cancelJob } from '../../handlers/cancel-message.js';
import type { DashboardHandler } from '../dashboard-request.js';
import { actingFor } from '../visitor.js';
import { readShownMessage } from './read-message.js';

export const cancelMessage: DashboardHandler<'cancelMessage'> = async ({ visitor, params }, { database }) => {
  const { accountId, actor } = actingFor(visitor);
  await cancelJob(database, accountId, params.job_id);
  await recordAudit(database, { accountId, actor, action: 'message.cancelled', subject: params.job_id });
  return readShownMessage(database, accountId, params.job_id);
};
