// Checks what the containers get: each program reads its settings from the environment and the mounted Secrets, as it
// does at its start.
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { nameOf } from './check-fields.mjs';

/** The program of a container, by the file that it runs. */
const PROGRAMS = {
  'apps/api/dist/main.js': 'api',
  'apps/worker/dist/main.js': 'worker',
  'packages/database/dist/postgres/migrate-main.js': 'migrate',
};
/** The simulated network reads no settings. */
const WITHOUT_SETTINGS = 'packages/network-simulator/dist/main.js';
const key = Buffer.alloc(32).toString('base64');
/** The keys of the Secrets, with values of the right form. docs/kubernetes.md lists them. */
const SECRET_VALUES = {
  database_url: 'postgresql://kurir_app:password@db.example.com:5432/kurir',
  app_database_url: 'postgresql://kurir_app:password@db.example.com:5432/kurir',
  redis_url: 'rediss://:password@redis.example.com:6379',
  master_key: key,
  internal_key: key,
  smtp_url: 'smtps://user:password@mail.example.com',
};

export const podOf = ({ spec }) => spec?.template?.spec;
const usesImage = ({ image }) => /(^|\/)kurir(:|$)/.test(image);

/** The containers that run a program of Kurir: `{object, pod, container, program, entry}`. */
export function kurirContainers(objects) {
  return objects.flatMap((object) =>
    (podOf(object)?.containers ?? []).filter(usesImage).map((container) => {
      const entry = container.command.find((word) => word.endsWith('.js'));
      return { object, pod: podOf(object), container, entry, program: PROGRAMS[entry] ?? null };
    }),
  );
}

/** The environment of a container. A later ConfigMap wins, and `env` wins over all. */
export function environmentOf(objects, { container, object }) {
  const maps = (container.envFrom ?? []).map(({ configMapRef }) => {
    const found = objects.find(({ kind, metadata }) => kind === 'ConfigMap' && metadata.name === configMapRef.name);
    if (found === undefined) throw new Error(`${nameOf(object)}: there is no ConfigMap ${configMapRef.name}`);
    return found.data;
  });
  const own = Object.fromEntries((container.env ?? []).map(({ name, value }) => [name, value]));
  return Object.assign({}, ...maps, own);
}

/** `{problems, loaded}`: `loaded` has `{object, container, pod, program, values}` for each program that starts. */
export async function checkSettings(root, objects) {
  const config = (file) => import(pathToFileURL(join(root, 'packages', 'config', 'dist', file)).href);
  const [{ loadSettings }, { settings }] = await Promise.all([config('load-settings.js'), config('settings.js')]);
  const folder = mkdtempSync(join(tmpdir(), 'kurir-keys-'));
  for (const [name, value] of Object.entries(SECRET_VALUES)) writeFileSync(join(folder, name), value);
  const problems = [];
  const loaded = [];
  try {
    for (const found of kurirContainers(objects)) {
      const { program, entry, object } = found;
      if (program === null && entry !== WITHOUT_SETTINGS) problems.push(`${nameOf(object)}: ${entry} is no program`);
      if (program === null) continue;
      const environment = environmentOf(objects, found);
      problems.push(
        ...unknownNames(settings, program, environment).map(
          (name) => `${nameOf(object)}: ${name} is no setting of ${program}`,
        ),
      );
      problems.push(...unmountedFiles(found, environment));
      try {
        loaded.push({ ...found, values: loadSettings(program, withFilesIn(folder, environment)) });
      } catch (error) {
        problems.push(...(error.problems ?? [error.message]).map((problem) => `${nameOf(object)}: ${problem}`));
      }
    }
  } finally {
    rmSync(folder, { recursive: true });
  }
  return { problems, loaded };
}

function unknownNames(settings, program, environment) {
  return Object.keys(environment).filter((name) => {
    const file = name.endsWith('_FILE') ? name.slice(0, -'_FILE'.length) : null;
    const setting = settings[file ?? name];
    return !(setting?.programs.includes(program) && (file === null || setting.secret === true));
  });
}

/** A file must stand in a mounted Secret. */
function unmountedFiles({ object, container, pod }, environment) {
  const folders = (container.volumeMounts ?? [])
    .filter(({ name }) => pod.volumes.some((volume) => volume.name === name && volume.secret !== undefined))
    .map(({ mountPath }) => `${mountPath}/`);
  return Object.entries(environment)
    .filter(([name, path]) => name.endsWith('_FILE') && !folders.some((folder) => path.startsWith(folder)))
    .map(([name, path]) => `${nameOf(object)}: ${name}: no Secret is mounted at ${path}`);
}

const withFilesIn = (folder, environment) =>
  Object.fromEntries(
    Object.entries(environment).map(([name, value]) =>
      name.endsWith('_FILE') ? [name, join(folder, value.split('/').at(-1))] : [name, value],
    ),
  );

/** The flags of Node that all programs with a server have. */
export const nodeFlags = (root) => JSON.parse(readFileSync(join(root, 'scripts', 'node-flags.json'), 'utf8'));
