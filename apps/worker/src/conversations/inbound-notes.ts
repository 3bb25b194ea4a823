/** Stores what people write to one device. */
import type { DeviceId } from '@kurir/contracts';
import type { InboundItem, InboundWriter } from '@kurir/database';
import type { InboundReport } from '@kurir/network';

export type InboundNotes = {
  /** Whether messages in groups are stored now. */
  takesGroups(): boolean;
  /** Resolves after the commit, also for a repeat. Reports of groups that are off are dropped. */
  store(report: InboundItem['report']): Promise<unknown>;
};

type InboundOf = {
  readonly deviceId: DeviceId;
  /** The network limits messages to new contacts. */
  readonly notesContact: boolean;
  readonly takesGroups: () => boolean;
};

const isOfGroup = (report: InboundItem['report']): report is InboundReport =>
  report.kind !== 'identified' && report.chat.type === 'group';

export function createInboundNotes(
  writer: InboundWriter,
  { deviceId, notesContact, takesGroups }: InboundOf,
): InboundNotes {
  return {
    takesGroups,
    store: async (report) => {
      if (isOfGroup(report) && !takesGroups()) return;
      await writer.submit({ deviceId, report, notesContact });
    },
  };
}
