import { fileURLToPath } from 'node:url';
import { operationsForPeople } from '@kurir/contracts/dashboard';
import tailwindcss from '@tailwindcss/vite';
import react from '@vitejs/plugin-react';
import { defineConfig, loadEnv, type Plugin } from 'vite';
import { compression } from 'vite-plugin-compression2';

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

type ModuleGraph = { getModuleInfo(id: string): { readonly importedIds: readonly string[] } | null };

/**
 * Names the file of every module that the first page needs in any case. Otherwise each module that another page shares
 * becomes a file of its own, and each file costs a round trip on a slow network.
 */
function nameFirstFile(): (id: string, graph: ModuleGraph) => string | null {
  const entry = fileURLToPath(new URL('src/main.tsx', import.meta.url));
  let first: Set<string> | null = null;
  const collect = (id: string, graph: ModuleGraph, found: Set<string>): Set<string> => {
    // The first page uses little of the contracts.
    if (found.has(id) || id.includes('/packages/') || id.includes('/zod/')) return found;
    found.add(id);
    for (const imported of graph.getModuleInfo(id)?.importedIds ?? []) collect(imported, graph, found);
    return found;
  };
  return (id, graph) => {
    first ??= collect(entry, graph, new Set());
    return first.has(id) && id !== entry ? 'app' : null;
  };
}

/** Puts the styles before the scripts, so that the browser fetches them first and paints what the HTML holds. */
function stylesFirst(): Plugin {
  const link = /\s*<link rel="stylesheet"[^>]*>/;
  const handler = (html: string) =>
    html.replace(link, '').replace(/\s*<script /, (script) => (link.exec(html)?.[0] ?? '') + script);
  return { name: 'styles-first', transformIndexHtml: { order: 'post', handler } };
}

export default defineConfig(({ mode }) => {
  /** The address where `npm start` listens. `KURIR_DEV_API` names another gateway. */
  const gateway = loadEnv(mode, '.', 'KURIR_')['KURIR_DEV_API'] ?? 'http://127.0.0.1:3000';
  return {
    base: '/app/',
    // The dashboard shows the same programs that the tests run.
    resolve: { alias: { '#examples': fileURLToPath(new URL('../../examples', import.meta.url)) } },
    plugins: [
      react(),
      tailwindcss(),
      routeTable(),
      stylesFirst(),
      compression({ algorithms: ['gzip', 'brotliCompress'], threshold: 1_000 }),
    ],
    // The api replaces this placeholder with a fresh nonce in every answer, and names it in the content security policy.
    html: { cspNonce: '__CSP_NONCE__' },
    build: {
      manifest: true,
      target: 'es2022',
      assetsInlineLimit: 0,
      modulePreload: { polyfill: false },
      rolldownOptions: { output: { codeSplitting: { groups: [{ name: nameFirstFile() }] } } },
    },
    server: {
      port: 5173,
      strictPort: true,
      // The gateway accepts only requests from its own pages, so the proxy sends the gateway's own origin.
      proxy: { '^/(app/api|api/v1)/': { target: gateway, changeOrigin: true, headers: { origin: gateway } } },
    },
  };
});
