/** Provides `#sandbox-networks`: the names of networks without real people, without the rest of the contracts. */
import { isSandbox, networkNames } from '@kurir/contracts/dashboard';

const id = '#sandbox-networks';

export const sandboxNetworks = {
  name: 'sandbox-networks',
  resolveId: (asked: string): string | null => (asked === id ? `\0${id}` : null),
  load: (asked: string): string | null =>
    asked === `\0${id}` ? `export const sandboxNetworks = ${JSON.stringify(networkNames.filter(isSandbox))};` : null,
};
