// `npm run generate`: writes the generated files of this repository again (see verify/generated-files.mjs).
import { spawnSync } from 'node:child_process';
import { fromRoot, root } from './local/paths.mjs';
import { turbo } from './local/turbo.mjs';
import { GENERATED } from './verify/generated-files.mjs';

await turbo(['build']);
for (const { files, program } of GENERATED) {
  const { status } = spawnSync(process.execPath, [fromRoot(program)], { cwd: root, stdio: 'inherit' });
  if (status !== 0) process.exit(status ?? 1);
  console.log(files.join('\n'));
}
