/** Downloads a file piece by piece. A refusal is thrown before the first piece. */
import { tryAgain } from './call-gateway.js';
import type { Connection } from './connection.js';
import { KurirConnectionError } from './errors.js';
import type { PlainRequest } from './signed-request.js';
import { tryFile, type TryOptions } from './try-once.js';

/** `timeoutMs` counts until the file begins. */
export async function* downloadFile(
  connection: Connection,
  request: PlainRequest,
  options: TryOptions,
): AsyncGenerator<string> {
  const response = await tryAgain(connection, request, options, tryFile);
  if (response.body === null) return;
  const decoder = new TextDecoder();
  try {
    for await (const chunk of response.body) {
      options.signal?.throwIfAborted();
      yield decoder.decode(chunk, { stream: true });
    }
  } catch (cause) {
    options.signal?.throwIfAborted();
    throw new KurirConnectionError(`${connection.baseUrl}: the file broke off.`, { mayHaveArrived: true, cause });
  }
}
