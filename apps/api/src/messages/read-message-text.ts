/** Shows the text of one message, and notes who read it. Nobody reads a text without a row in the audit log. */
import { isMessageId } from '@kurir/contracts';
import { noteReading, readMessageText as readText } from '@kurir/database';
import type { Handler } from '../operations/operation-request.js';
import { jobNotFound } from './job-not-found.js';

export const readMessageText: Handler<'readMessageText'> = async (request, { database, accountKeys }) => {
  const { caller, params, auditAs } = request;
  if (!isMessageId(params.job_id)) throw jobNotFound();
  const found = await readText(database, accountKeys, caller.accountId, params.job_id);
  if (found === null) throw jobNotFound();
  if (found.text !== null) await noteReading(database, auditAs('message.read'), params.job_id);
  return { job_id: params.job_id, ...found };
};
