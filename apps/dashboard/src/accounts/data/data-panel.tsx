import { useMutation } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { addressOf } from '../../http/call.js';
import { askPerson } from '../../http/confirmation.js';
import { useMe } from '../../session/me.js';
import { Button } from '../../ui/button.js';
import { Panel, PanelHead } from '../../ui/layout/panel.js';

type DataPanelProps = {
  title: string;
  note: string;
  file: 'exportMe' | 'exportAccount';
  exportLabel: string;
  eraseLabel: string;
  onErase: () => void;
  children: ReactNode;
};

/** Lets a person take data away as a file, and erase it. */
export function DataPanel({ title, note, file, exportLabel, eraseLabel, onErase, children }: DataPanelProps) {
  const { confirmed_until: until } = useMe();
  const download = useMutation({
    mutationFn: async () => {
      const isOver = until === null || new Date(until).getTime() < Date.now();
      if (isOver && !(await askPerson())) return;
      // The browser writes the file while it arrives. The page stays, because the answer is an attachment.
      window.location.assign(addressOf(file, {}));
    },
  });
  return (
    <Panel>
      <PanelHead title={title} note={note} />
      <div className="flex flex-wrap gap-2 px-5 pb-5">
        <Button busy={download.isPending} onClick={() => download.mutate()}>
          {exportLabel}
        </Button>
        <Button look="quiet-danger" onClick={onErase}>
          {eraseLabel}
        </Button>
      </div>
      {children}
    </Panel>
  );
}
