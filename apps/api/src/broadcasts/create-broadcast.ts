import { ApiError } from '@kurir/contracts';
import { addRecipients, createBroadcast as create } from '@kurir/database/broadcasts';
import { readTemplateVersion } from '@kurir/database/templates';
import type { Handler, OperationRequest } from '../operations/operation-request.js';
import type { Api } from '../operations/api.js';
import { templateNotFound } from '../templates/require-template.js';
import { notReady } from '../uploads/require-file.js';
import { chooseAudience } from './choose-audience.js';
import { requireUncounted } from './require-broadcast.js';
import { showBroadcast } from './show-broadcast.js';

export const noSuchDevice = (): ApiError =>
  new ApiError(
    'DEVICE_NOT_FOUND',
    'device_ids: names a device that the account does not have. The broadcast of a test key only takes devices of a sandbox network.',
  );

/** The text is copied, so a later version of the template changes nothing. */
async function textOf({ caller, body }: OperationRequest<'createBroadcast'>, { database }: Api) {
  const { message, footer, templateId, templateVersion } = body;
  if (templateId === null) return { text: message ?? '', footer };
  const version = await readTemplateVersion(database, caller.accountId, { templateId, version: templateVersion });
  if (version === null) throw templateNotFound();
  return { text: version.text, footer: version.footer };
}

export const createBroadcast: Handler<'createBroadcast'> = async (request, api) => {
  const { caller, auditAs, body } = request;
  const { accountId, actor } = caller;
  const { name, category, deviceIds, pacePerMinute, sendAt, window, maxPerDay, guardFailed, guardOptedOut } = body;
  const text = await textOf(request, api);
  const { database, accountKeys } = api;
  const audience = await chooseAudience(database, caller, body.audience);
  const rules = { window, maxPerDay, guardFailed, guardOptedOut };
  const more = { createdBy: actor, audience, ...rules };
  const draft = { accountId, name, category, text, deviceIds, pacePerMinute, sendAt, ...more };
  const id = await create(database, accountKeys, draft, auditAs('broadcast.created'));
  if (id === 'no-such-device') throw noSuchDevice();
  if (id === 'upload-used') throw notReady('The upload is used already. Send the file again as a new upload.');
  const rows = body.audience?.kind === 'rows' ? body.audience.rows : [];
  if (rows.length > 0) await addRecipients(database, accountKeys, { id, accountId }, 0, rows);
  return showBroadcast(await requireUncounted(database, accountId, id));
};
