import { fileURLToPath } from 'node:url';
import { dashboardRoutes } from '@kurir/contracts/dashboard';
import tailwindcss from '@tailwindcss/vite';
import react from '@vitejs/plugin-react';
import { defineConfig, loadEnv, type Plugin } from 'vite';

/**
 * `#routes`: method and path of every route of the contract, without the schemas. A page loads those only where it has
 * a form to check with them.
 */
function routeTable(): Plugin {
  const table = Object.entries(dashboardRoutes).map(([operation, { method, path }]) => [operation, [method, path]]);
  return {
    name: 'route-table',
    resolveId: (id) => (id === '#routes' ? '\0routes' : null),
    load: (id) => (id === '\0routes' ? `export const routes = ${JSON.stringify(Object.fromEntries(table))};` : null),
  };
}

export default defineConfig(({ mode }) => {
  /** Where `npm start` listens; `KURIR_DEV_API` names another gateway to develop against. */
  const gateway = loadEnv(mode, '.', 'KURIR_')['KURIR_DEV_API'] ?? 'http://127.0.0.1:3000';
  return {
    base: '/app/',
    // The programs that the dashboard shows are the ones that the tests run.
    resolve: { alias: { '#examples': fileURLToPath(new URL('../../examples', import.meta.url)) } },
    plugins: [react(), tailwindcss(), routeTable()],
    // The api puts a fresh nonce in its place, on every answer, and names it in the content security policy.
    html: { cspNonce: '__CSP_NONCE__' },
    build: { manifest: true, target: 'es2022', assetsInlineLimit: 0, modulePreload: { polyfill: false } },
    server: {
      port: 5173,
      strictPort: true,
      // The gateway believes only requests from its own pages, so the proxy shows itself as one of them.
      proxy: { '^/(app/api|api/v1)/': { target: gateway, changeOrigin: true, headers: { origin: gateway } } },
    },
  };
});
