import { useMutation } from '@tanstack/react-query';
import { useState } from 'react';
import { call } from '../../../http/call.js';
import { DropArea } from '../../../uploads/drop-area.js';
import { sendFile } from '../../../uploads/send-file.js';
import type { Drafting } from '../draft/use-draft.js';
import { FileColumns } from './file-columns.js';
import { ListFailure } from './list-failure.js';

/** Sends the file, reads how the gateway understands it, and keeps both in the draft. */
function useSendFile({ change }: Drafting) {
  const [share, setShare] = useState(0);
  const mutation = useMutation({
    mutationFn: async (chosen: File) => {
      setShare(0);
      change({ file: null });
      const uploadId = await sendFile(chosen, setShare);
      const { file, problem } = await call('getUpload', { params: { upload_id: uploadId } });
      if (file === null) return problem?.code ?? 'not_text';
      const { columns, mapping, preview } = file;
      const rows = preview.map(({ values }) => values);
      change({ file: { uploadId, isUsed: false, name: chosen.name, phone: mapping.phone, columns, rows } });
      return null;
    },
  });
  return { ...mutation, share };
}

export function FileChoice({ drafting }: { drafting: Drafting }) {
  const { file } = drafting.draft;
  const sending = useSendFile(drafting);
  return (
    <div className="flex flex-col gap-4">
      <DropArea name={file?.name ?? null} share={sending.isPending ? sending.share : null} onFile={sending.mutate} />
      <ListFailure code={sending.data ?? null} failure={sending.error} />
      {file !== null && <FileColumns file={file} onPhone={(phone) => drafting.change({ file: { ...file, phone } })} />}
    </div>
  );
}
