// The steps of `npm run verify`. Each resolves, perhaps with a remark, or throws `Complaints` with one line per finding.
import { execFile } from 'node:child_process';
import { existsSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { checkObjects } from '../kubernetes/check-manifests.mjs';
import { checkPlantedManifests } from '../kubernetes/planted-manifests.mjs';
import { findKustomize, OVERLAYS, renderOverlays } from '../kubernetes/render.mjs';
import { fromRoot, root } from '../local/paths.mjs';
import { TaskFailed } from '../local/task.mjs';
import { turbo } from '../local/turbo.mjs';
import { checkStructure } from '../structure/check-structure.mjs';
import { checkPlantedStructure } from '../structure/planted-structure.mjs';
import { checkDataTable } from './data-table.mjs';
import { checkDocPaths } from './doc-paths.mjs';
import { GENERATED } from './generated-files.mjs';
import { checkImageTags } from './image-tags.mjs';
import { checkImports } from './import-rules.mjs';
import { checkLockfile } from './lockfile.mjs';
import { checkPlantedImages } from './planted-images.mjs';
import { unreportedRules } from './planted-lint.mjs';
import { checkPlanted } from './planted-violations.mjs';
import { checkPlantedProse } from './planted-prose.mjs';
import { checkProse, showProblem } from './prose.mjs';
import { findWorkspaces, isTest, walk } from '../source/source-files.mjs';

export class Complaints extends Error {
  constructor(lines, hint) {
    super(lines.join('\n'));
    this.lines = hint ? [...lines, hint] : lines;
  }
}

const complain = (lines, hint) => {
  if (lines.length > 0) throw new Complaints(lines, hint);
};

/** Independent of the build, and after it: types of other packages and programs to run come from there. */
export const STEPS = [
  { name: 'format', run: format },
  { name: 'imports', run: imports },
  { name: 'structure', run: structure },
  { name: 'prose', run: prose },
  { name: 'lockfile', run: lockfile },
  { name: 'images', run: images },
  { name: 'docs', run: docs },
  { name: 'build', run: build },
  { name: 'lint', after: 'build', run: lint },
  { name: 'types', after: 'build', run: types },
  { name: 'generated', after: 'build', run: generated },
  { name: 'kubernetes', after: 'build', run: kubernetes },
];

/** Runs a tool of ours; resolves with `{ok, output}`. */
function runTool(packageName, bin, args) {
  const entry = join(createRequire(import.meta.url).resolve(`${packageName}/package.json`), '..', bin);
  return runNode([entry, ...args]);
}

function runNode(args) {
  const options = { cwd: root, maxBuffer: 64 * 1024 * 1024, env: { ...process.env, NO_COLOR: '1' } };
  return new Promise((resolve) => {
    execFile(process.execPath, args, options, (error, stdout, stderr) =>
      resolve({ ok: !error, output: `${stdout}${stderr}`.trim() }),
    );
  });
}

async function format() {
  const { ok, output } = await runTool('@biomejs/biome', 'bin/biome', [
    'format',
    '--colors=off',
    '--max-diagnostics=200',
    '.',
  ]);
  if (ok) return;
  const files = [...output.matchAll(/^(\S+) (?:format|parse) ━/gm)].map(([, path]) => path);
  throw new Complaints(files.length > 0 ? files : output.split('\n'), 'Repair with: npm run format');
}

async function imports() {
  complain(checkPlanted(), 'The checker does not see what it should.');
  const { files, unread, violations } = checkImports(root);
  complain([
    ...violations.map(({ path, line, rule, message }) => `${path}:${line}: ${message} (${rule})`),
    ...unread.map((folder) => `${folder} has no source file`),
  ]);
  return `${files} files`;
}

async function structure() {
  complain(checkPlantedStructure(), 'The checker does not see what it should.');
  const { rooms, problems } = checkStructure(root);
  complain(problems.map(({ path, rule, message }) => `${path}: ${message} (${rule})`));
  return `${rooms} folders`;
}

async function prose() {
  complain(checkPlantedProse(), 'The checker does not see what it should.');
  const { sentences, problems } = checkProse(root);
  complain(problems.map(showProblem));
  return `${sentences} sentences`;
}

async function lockfile() {
  complain(checkLockfile(root));
}

async function images() {
  complain(checkPlantedImages(), 'The checker does not see what it should.');
  const { files, problems } = checkImageTags(root);
  complain(problems);
  return `${files} files`;
}

async function docs() {
  const { files, problems } = checkDocPaths(root);
  complain(problems);
  complain(checkDataTable(root).problems, 'docs/data-protection.md must name each table of the schema once.');
  return `${files} documents`;
}

async function build() {
  try {
    await turbo(['build']);
  } catch (error) {
    throw error instanceof TaskFailed ? new Complaints(error.lines) : error;
  }
}

async function lint() {
  const oxlint = (args) => runTool('oxlint', 'bin/oxlint', ['--type-aware', '--format=unix', ...args]);
  const [unreported, { ok, output }] = await Promise.all([
    unreportedRules(async (folder) => (await oxlint(['--config', fromRoot('.oxlintrc.json'), folder])).output),
    oxlint(['--deny-warnings']),
  ]);
  complain(unreported.map((rule) => `a planted violation of ${rule} was not reported`));
  if (!ok) throw new Complaints(output.split('\n'));
}

/** The build checks production code; here come the tests, two packages at a time. */
async function types() {
  const workspaces = findWorkspaces(root);
  const hasConfig = ({ folder }) => existsSync(fromRoot(folder, 'tsconfig.test.json'));
  const hasTests = ({ folder }) => [...walk(root, folder)].some(({ path }) => isTest(path) && /\.tsx?$/.test(path));
  const unchecked = workspaces.filter((workspace) => hasTests(workspace) && !hasConfig(workspace));
  const lines = unchecked.map(({ folder }) => `${folder} has tests and no tsconfig.test.json to check them with`);
  const queue = workspaces.filter(hasConfig);
  const worker = async () => {
    for (let next = queue.shift(); next; next = queue.shift()) {
      const args = ['--noEmit', '--pretty', 'false', '-p', fromRoot(next.folder, 'tsconfig.test.json')];
      const { ok, output } = await runTool('typescript', 'bin/tsc', args);
      if (!ok) lines.push(...output.split('\n'));
    }
  };
  await Promise.all([worker(), worker()]);
  complain(lines);
}

async function generated() {
  const lines = await Promise.all(
    GENERATED.map(async ({ files, program }) => {
      if (!existsSync(fromRoot(program))) return [`${files.join(', ')}: ${program} is not there`];
      const { ok, output } = await runNode([fromRoot(program), '--check']);
      return ok ? [] : [`${files.join(', ')}: ${output || 'stale'}`];
    }),
  );
  complain(lines.flat(), 'Repair with: npm run generate');
}

async function kubernetes() {
  const kustomize = findKustomize();
  if (kustomize === null) return 'not checked: neither kubectl nor kustomize is on the PATH';
  const overlays = await renderOverlays(root, kustomize);
  for (const name of OVERLAYS) complain((await checkObjects(root, overlays[name])).map((line) => `${name}: ${line}`));
  complain(await checkPlantedManifests(root, overlays.production), 'The checker does not see what it should.');
  return `${Object.values(overlays).flat().length} objects`;
}
