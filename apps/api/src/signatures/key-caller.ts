import type { ApiKeyId } from '@kurir/contracts';
import type { Asker } from '../http/asker.js';

export type KeyCaller = Asker<ApiKeyId> & { readonly by: 'key'; readonly secretVersion: number };
