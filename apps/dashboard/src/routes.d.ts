/** `vite.config.ts` makes this module from the route table, so that pages carry methods and paths but no schemas. */
declare module '#routes' {
  import type { operationsForPeople } from '@kurir/contracts/dashboard';

  type Table = typeof operationsForPeople;
  export const routes: { readonly [O in keyof Table]: readonly [method: Table[O]['method'], path: Table[O]['path']] };
}
