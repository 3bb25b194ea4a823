// Bundles the library and the command into `dist`, with the packages that they import. So the client installs no other
// package.
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { defineConfig } from 'rolldown';

const PACKAGE_FOLDER = /^.*[\\/]node_modules[\\/](?:@[^\\/]+[\\/])?[^\\/]+/;

/** The licences of the bundled packages. Every copy of the packages must include them. */
const licences = () => ({
  name: 'licences',
  generateBundle(_options, bundle) {
    const modules = Object.values(bundle).flatMap((file) => (file.type === 'chunk' ? file.moduleIds : []));
    const folders = new Set(modules.flatMap((id) => PACKAGE_FOLDER.exec(id) ?? []));
    const source = [...folders].sort().map(licenceOf).join('\n\n');
    this.emitFile({ type: 'asset', fileName: 'third-party-licenses.txt', source });
  },
});

function licenceOf(folder) {
  const { name, version } = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8'));
  const file = readdirSync(folder).find((entry) => /^licen[cs]e/i.test(entry));
  if (file === undefined) throw new Error(`${name} has no licence file.`);
  return `${name} ${version}\n\n${readFileSync(join(folder, file), 'utf8').trim()}\n`;
}

export default defineConfig({
  input: { index: 'src/index.ts', kurir: 'src/kurir.ts' },
  platform: 'node',
  output: { dir: 'dist', cleanDir: true, chunkFileNames: '[name].js' },
  // Otherwise the bundle names each source file above its code.
  experimental: { attachDebugInfo: 'none' },
  plugins: [licences()],
});
