import { fileURLToPath } from 'node:url';
import { operationsForPeople } from '@kurir/contracts/dashboard';
import tailwindcss from '@tailwindcss/vite';
import react from '@vitejs/plugin-react';
import { defineConfig, loadEnv, type Plugin } from 'vite';

/**
 * Provides `#routes`: the method and path of every route of the contract, without the schemas. A page loads the
 * schemas only if it has a form to check.
 */
function routeTable(): Plugin {
  const table = Object.entries(operationsForPeople).map(([operation, { method, path }]) => [operation, [method, path]]);
  return {
    name: 'route-table',
    resolveId: (id) => (id === '#routes' ? '\0routes' : null),
    load: (id) => (id === '\0routes' ? `export const routes = ${JSON.stringify(Object.fromEntries(table))};` : null),
  };
}

export default defineConfig(({ mode }) => {
  /** The address where `npm start` listens. `KURIR_DEV_API` names another gateway. */
  const gateway = loadEnv(mode, '.', 'KURIR_')['KURIR_DEV_API'] ?? 'http://127.0.0.1:3000';
  return {
    base: '/app/',
    // The dashboard shows the same programs that the tests run.
    resolve: { alias: { '#examples': fileURLToPath(new URL('../../examples', import.meta.url)) } },
    plugins: [react(), tailwindcss(), routeTable()],
    // The api replaces this placeholder with a fresh nonce in every answer, and names it in the content security policy.
    html: { cspNonce: '__CSP_NONCE__' },
    build: { manifest: true, target: 'es2022', assetsInlineLimit: 0, modulePreload: { polyfill: false } },
    server: {
      port: 5173,
      strictPort: true,
      // The gateway accepts only requests from its own pages, so the proxy sends the gateway's own origin.
      proxy: { '^/(app/api|api/v1)/': { target: gateway, changeOrigin: true, headers: { origin: gateway } } },
    },
  };
});
