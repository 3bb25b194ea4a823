import { readOptOut } from '@kurir/database/suppressions';
import type { Handler } from '../operations/operation-request.js';
import { showOptOut } from './show-opt-out.js';

export const getOptOut: Handler<'getOptOut'> = async ({ caller }, { database }) =>
  showOptOut(await readOptOut(database, caller.accountId));
