declare module '#routes' {
  type Table = typeof import('@kurir/contracts/dashboard').dashboardRoutes;
  export const routes: { readonly [O in keyof Table]: readonly [method: Table[O]['method'], path: Table[O]['path']] };
}
