/** Makes the draft of the gateway from what was typed. Nothing goes out. */
import type { DashboardBodyInput } from '@kurir/contracts/dashboard';
import { ApiFailure } from '../../../http/api-failure.js';
import { call } from '../../../http/call.js';
import type { RuleFields } from '../../fields/rules.js';
import { isBeforeStart } from '../../state.js';
import type { Draft } from '../draft/draft.js';
import type { Message } from '../draft/use-message.js';
import { valuesOf } from '../draft/variables.js';
import { filterOf } from '../draft/use-list.js';
import { sendAgain } from '../../../uploads/send-file.js';
import { readPasted } from '../draft/read-pasted.js';

/** The parts of a draft that a person sees filled in without having typed them. */
export type Filled = {
  readonly name: string;
  readonly deviceIds: readonly string[];
  readonly pace: number | null;
  /** Null: a field is wrong, so nothing is made. */
  readonly rules: RuleFields | null;
  readonly message: Message;
};

type CreateBody = DashboardBodyInput<'createBroadcast'>;
type Rows = NonNullable<NonNullable<CreateBody['audience']>['rows']>;

/** So a request stays far below the largest body. */
const rowsOfRequest = 2_000;

const textOf = (draft: Draft, { text, footer }: Message) =>
  draft.textFrom === 'template' && draft.templateId !== null
    ? { template_id: draft.templateId }
    : { message: text, ...(footer === null ? {} : { footer }) };

const rowsOf = (draft: Draft, { bindings }: Message): Rows =>
  readPasted(draft.pasted).rows.map(({ phone, values }) => ({ phone, values: valuesOf(bindings, values) }));

/** Only the values that the text uses. */
const columnsOf = ({ bindings }: Message) =>
  Object.fromEntries(bindings.flatMap(({ name, column }) => (column === null ? [] : [[name, column]])));

function audienceOf(draft: Draft, rows: Rows, message: Message): NonNullable<CreateBody['audience']> {
  if (draft.audience === 'contacts') return { contacts: filterOf(draft.contacts) };
  if (draft.audience === 'paste' || draft.file === null) return { rows: rows.slice(0, rowsOfRequest) };
  const { uploadId, phone } = draft.file;
  return { upload_id: uploadId, mapping: { phone: phone ?? '', values: columnsOf(message) } };
}

const cancel = (broadcastId: string) => call('cancelBroadcast', { params: { broadcast_id: broadcastId } });

/** Pasted rows go up in parts. If one fails, the half of a draft is taken away again. */
async function create(draft: Draft, { name, deviceIds, pace, rules, message }: Filled): Promise<string> {
  const rows = draft.audience === 'paste' ? rowsOf(draft, message) : [];
  const body: CreateBody = {
    name,
    ...textOf(draft, message),
    category: draft.category,
    device_ids: [...deviceIds],
    pace_per_minute: pace,
    ...rules,
    ...(draft.sendAt === '' ? {} : { send_at: new Date(draft.sendAt).toISOString() }),
    audience: audienceOf(draft, rows, message),
  };
  const { broadcast_id: broadcastId } = await call('createBroadcast', { body });
  try {
    for (let after = rowsOfRequest; after < rows.length; after += rowsOfRequest) {
      const part = rows.slice(after, after + rowsOfRequest);
      await call('addBroadcastRecipients', { params: { broadcast_id: broadcastId }, body: { after, rows: part } });
    }
  } catch (failure) {
    // The draft has done no harm if this fails, too: it stays in the list, and somebody can throw it away.
    await cancel(broadcastId).catch(() => undefined);
    throw failure;
  }
  return broadcastId;
}

/** A broadcast has used the upload, so the file goes up again. */
async function withFreshFile(draft: Draft): Promise<Draft> {
  const { audience, file } = draft;
  if (audience !== 'file' || file === null || !file.isUsed) return draft;
  return { ...draft, file: { ...file, uploadId: await sendAgain(file.uploadId), isUsed: false } };
}

/** Changes the draft of the gateway. Returns false if it is a draft no more: its list could not be read, say. */
async function isChanged(broadcastId: string, { name, deviceIds, pace, rules }: Filled): Promise<boolean> {
  const body = { name, device_ids: [...deviceIds], pace_per_minute: pace, ...rules };
  try {
    const { state } = await call('updateBroadcast', { params: { broadcast_id: broadcastId }, body });
    return isBeforeStart(state);
  } catch (failure) {
    if (failure instanceof ApiFailure && failure.code === 'BROADCAST_STATE') return false;
    throw failure;
  }
}

type Made = Pick<Draft, 'created' | 'file'>;

/** Changes the draft of the gateway, or makes a new one in its place. Returns what the draft of the page keeps of it. */
export async function makeDraft(draft: Draft, filled: Filled): Promise<Made> {
  const { created } = draft;
  if (created !== null && !created.isStale && (await isChanged(created.broadcastId, filled)))
    return { created, file: draft.file };
  const fresh = await withFreshFile(draft);
  const broadcastId = await create(fresh, filled);
  if (created !== null) await cancel(created.broadcastId).catch(() => undefined);
  const { file } = fresh;
  return {
    created: { broadcastId, isStale: false },
    file: file === null || draft.audience !== 'file' ? file : { ...file, isUsed: true },
  };
}
