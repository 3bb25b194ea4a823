declare module '#routes' {
  import type { dashboardRoutes } from '@kurir/contracts/dashboard';

  type Table = typeof dashboardRoutes;
  export const routes: { readonly [O in keyof Table]: readonly [method: Table[O]['method'], path: Table[O]['path']] };
}
