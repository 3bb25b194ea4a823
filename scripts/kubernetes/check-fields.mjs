// Checks the fields of Kubernetes objects against the types of `kubernetes-models`, which are made from the schemas of
// Kubernetes and KEDA. TypeScript refuses a field that a type does not have, a missing one, and a wrong kind of value.
import { execFile } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';

const OPTIONS = [
  '--noEmit',
  '--strict',
  '--skipLibCheck',
  '--pretty',
  'false',
  '--module',
  'esnext',
  '--target',
  'es2022',
];
const KEDA = 'keda.sh/';

/** Complaints about the objects, each with the name of its object. */
export async function checkFields(root, objects) {
  const cache = join(root, 'node_modules', '.cache');
  mkdirSync(cache, { recursive: true });
  // TypeScript finds the packages from there.
  const folder = mkdtempSync(join(cache, 'kurir-kubernetes-'));
  try {
    const names = new Map(objects.map((object, index) => [`object-${index}.ts`, nameOf(object)]));
    for (const [index, object] of objects.entries())
      writeFileSync(join(folder, `object-${index}.ts`), sourceOf(object));
    const files = [...names.keys()].map((name) => join(folder, name));
    const output = await runTypescript([...OPTIONS, '--moduleResolution', 'bundler', '--types', '', ...files]);
    return output
      .split('\n')
      .filter((line) => line.includes(': error '))
      .map((line) => line.replace(/^.*?(object-\d+\.ts)\(\d+,\d+\): error /, (_, file) => `${names.get(file)}: `));
  } finally {
    rmSync(folder, { recursive: true });
  }
}

export const nameOf = ({ kind, metadata }) => `${kind} ${metadata?.name}`;

function sourceOf(object) {
  const { apiVersion, kind } = object;
  const folder = apiVersion.startsWith(KEDA)
    ? `@kubernetes-models/keda/${apiVersion}`
    : `kubernetes-models/${apiVersion}`;
  return `import type { I${kind} } from '${folder}/${kind}';\nexport const object: I${kind} = ${JSON.stringify(object)};\n`;
}

function runTypescript(args) {
  const tsc = join(createRequire(import.meta.url).resolve('typescript/package.json'), '..', 'bin', 'tsc');
  return new Promise((resolve) => {
    execFile(process.execPath, [tsc, ...args], { maxBuffer: 16 * 1024 * 1024 }, (_error, stdout, stderr) =>
      resolve(`${stdout}${stderr}`),
    );
  });
}
