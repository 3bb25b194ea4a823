import type { DashboardData } from '@kurir/contracts/dashboard';
import { useMutation } from '@tanstack/react-query';
import { useState } from 'react';
import { call } from '../../http/call.js';
import { sendFile } from '../../uploads/send-file.js';

export type SentFile = {
  readonly uploadId: string;
  readonly name: string;
  readonly file: NonNullable<DashboardData<'getUpload'>['file']>;
};

/** Sends a file, and reads how the gateway understands it. A text is the gateway's word for why it cannot. */
export function useSendFile() {
  const [share, setShare] = useState(0);
  const mutation = useMutation({
    mutationFn: async (chosen: File): Promise<SentFile | string> => {
      setShare(0);
      const uploadId = await sendFile(chosen, setShare);
      const { file, problem } = await call('getUpload', { params: { upload_id: uploadId } });
      return file === null ? (problem?.code ?? 'not_text') : { uploadId, name: chosen.name, file };
    },
  });
  return { ...mutation, share };
}
