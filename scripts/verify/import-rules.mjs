// The rules for imports. ARCHITECTURE.md says why. `planted-violations.mjs` proves that each rule works.
import { readFileSync } from 'node:fs';
import { isBuiltin } from 'node:module';
import { join, posix } from 'node:path';
import { findWorkspaces, isSource, isTest, readManifest, walk } from '../source/source-files.mjs';
import { readFacts } from '../source/source-facts.mjs';

/** Each vendor library stands in one package, so that replacing it touches one package. */
const VENDOR_HOMES = [
  { library: /^(prisma|@prisma\/.*)$/, homes: ['packages/database'] },
  { library: /^pg$/, homes: ['packages/database', 'packages/testing'] },
  { library: /^(bullmq|ioredis)$/, homes: ['packages/queue', 'bench', 'e2e'] },
  { library: /^rate-limiter-flexible$/, homes: ['packages/queue'] },
  { library: /^pino(-.*)?$/, homes: ['packages/logging'] },
  { library: /^prom-client$/, homes: ['packages/metrics'] },
  { library: /^@opentelemetry\//, homes: ['packages/tracing'] },
  { library: /^ws$/, homes: ['packages/network-simulator', 'packages/whatsapp-relay'] },
  { library: /^(baileys|libsignal)$/, homes: ['packages/network-whatsapp', 'packages/whatsapp-relay', 'bench'] },
  { library: /^(https|socks)-proxy-agent$/, homes: ['packages/address-guard'] },
  { library: /^csv-parse$/, homes: ['packages/row-files'] },
  { library: /^libphonenumber-js$/, homes: ['packages/contracts', 'packages/phone-numbers'] },
  { library: /^zapo-js$/, homes: ['packages/whatsapp-relay'] },
  { library: /^express$/, homes: ['apps/api', 'bench'] },
  { library: /^zod-openapi$/, homes: ['packages/contracts'] },
  { library: /^(react(-.*)?|@radix-ui\/.*|@tanstack\/.*|@visx\/.*|lucide-react|cmdk)$/, homes: ['apps/dashboard'] },
  { library: /^(vitepress|vue)$/, homes: ['apps/docs'] },
  { library: /^(better-auth|@better-auth\/.*)$/, homes: ['apps/api', 'apps/dashboard'] },
  { library: /^(nodemailer|@node-rs\/argon2)$/, homes: ['apps/api'] },
];

/**
 * Readers of process.env; tests and what serves only tests may read it too. The client's command is published by itself
 * and runs on other machines, without packages/config.
 */
const ENVIRONMENT_HOMES = [
  'packages/config/',
  'packages/client/src/cli/terminal/read-settings.ts',
  'packages/testing/',
  'e2e/',
  'bench/',
];

/** Words that say nothing about what is inside. */
const EMPTY_NAME = /(^|-)(utils?|helpers?|commons?|shared|core|lib|services?|managers?)(-|$)/;

const isDashboard = ({ folder }) => folder === 'apps/dashboard';

/** Built into files that hold what they import, so that no other package is installed for them. */
const isBundled = ({ folder }) => ['apps/dashboard', 'apps/docs', 'packages/client'].includes(folder);

const isDriver = (folder) => /^packages\/network(-|$)/.test(folder);

/** Each rule gets one import and returns a complaint or nothing. */
const IMPORT_RULES = {
  'readable-import': ({ specifier }) => specifier === null && 'imports a module whose name is computed',
  'apps-on-top': ({ from, target }) =>
    target?.folder.startsWith('apps/') && target !== from && !isOutermost(from) && `imports the app ${target.name}`,
  'api-without-network': ({ from, target }) =>
    from.folder === 'apps/api' && target && isDriver(target.folder) && `the api imports ${target.name}`,
  'dashboard-over-http': ({ from, target }) =>
    isDashboard(from) &&
    target &&
    target !== from &&
    target.name.split('/')[1] !== 'contracts' &&
    `the dashboard imports ${target.name}`,
  'driver-alone': ({ from, target }) =>
    isDriver(from.folder) &&
    /^packages\/(database|queue|config)$/.test(target?.folder ?? '') &&
    `a driver imports ${target.name}`,
  'vendor-home': ({ from, library }) => {
    const vendor = VENDOR_HOMES.find((entry) => entry.library.test(library ?? ''));
    return vendor && !vendor.homes.includes(from.folder) && `${library} belongs to ${vendor.homes.join(', ')}`;
  },
  declared: ({ from, library, declared }) =>
    library &&
    library !== from.name &&
    !declared.has(library) &&
    `${library} is not in the package.json of ${from.name}`,
  'front-door': ({ target, from, specifier }) =>
    target && target !== from && !isExported(target, specifier) && `reaches into ${target.name} past its exports`,
  'no-test-support': ({ from, path, file, specifier, target }) =>
    !isTest(path) &&
    !isForTests(from) &&
    ((file && isTest(file)) || (target && (isForTests(target) || isExportOfTests(target, specifier)))) &&
    'production code imports test support',
  'own-folder': ({ leaves }) => leaves && 'a relative import leaves the package',
};

/** Packages that only tests and measurements use. Production code imports none of them. */
const isForTests = (workspace) =>
  isOutermost(workspace) || /^packages\/(testing|whatsapp-relay)$/.test(workspace.folder);

/** e2e and bench are run, never imported, so nothing is above an app but they. */
const isOutermost = ({ folder }) => folder === 'e2e' || folder === 'bench';

/** Whether a package's door for this specifier leads into its `test/`. */
function isExportOfTests({ name, folder, manifest }, specifier) {
  const door = manifest.exports?.[`.${specifier.slice(name.length)}`];
  const file = typeof door === 'string' ? door : door?.default;
  return file !== undefined && isTest(posix.join(folder, file));
}

function isExported({ name, manifest }, specifier) {
  const subpath = `.${specifier.slice(name.length)}`;
  return subpath in (manifest.exports ?? {});
}

/** Reads every source file of every workspace. `{files, unread, violations: [{path, line, rule, message}]}` */
export function checkImports(root) {
  const workspaces = findWorkspaces(root);
  const networks = new Set(workspaces.flatMap(({ folder }) => /^packages\/network-(.+)$/.exec(folder)?.[1] ?? []));
  const byName = new Map(workspaces.map((workspace) => [workspace.name, workspace]));
  const rootDevDependencies = Object.keys(readManifest(root, '.').devDependencies ?? {});
  const violations = [];
  const read = new Map(workspaces.map(({ folder }) => [folder, 0]));

  for (const from of workspaces) {
    for (const { path, isFolder } of walk(root, from.folder)) {
      if (isFolder || !isSource(path)) continue;
      read.set(from.folder, read.get(from.folder) + 1);
      const facts = readFacts(path, readFileSync(join(root, path), 'utf8'));
      const declared = declaredFor(from, path, rootDevDependencies);
      for (const found of violationsIn({ path, facts, from, byName, declared, networks }))
        violations.push({ path, ...found });
    }
  }
  violations.push(...emptyNames(root));
  return {
    files: [...read.values()].reduce((sum, count) => sum + count, 0),
    unread: [...read].filter(([, count]) => count === 0).map(([folder]) => folder),
    violations,
  };
}

/** The packages that the file may import. Production code may import only installed or bundled packages, tests also tools. */
function declaredFor({ folder, manifest }, path, rootDevDependencies) {
  const { dependencies, peerDependencies, optionalDependencies, devDependencies } = manifest;
  const names = Object.keys({ ...dependencies, ...peerDependencies, ...optionalDependencies });
  if (isBundled({ folder }) && !isTest(path) && path.includes('/src/'))
    return new Set(Object.keys(devDependencies ?? {}));
  const isTool =
    isTest(path) || !path.includes('/src/') || manifest.name.endsWith('/e2e') || manifest.name.endsWith('/bench');
  return new Set(isTool ? [...names, ...Object.keys(devDependencies ?? {}), ...rootDevDependencies] : names);
}

function* violationsIn({ path, facts, from, byName, declared, networks }) {
  for (const { line, message } of facts.errors) yield { line, rule: 'parses', message };
  for (const { line, specifier } of facts.imports) {
    const seen = { specifier, path, from, declared, ...resolveImport({ specifier, path, from, byName }) };
    for (const [rule, complain] of Object.entries(IMPORT_RULES)) {
      const message = complain(seen);
      if (message) yield { line, rule, message };
    }
  }
  for (const line of facts.exportStars)
    yield { line, rule: 'no-export-star', message: 'exports everything; name what is public' };
  for (const line of facts.enums) yield { line, rule: 'no-enum', message: 'an enum; use a union of strings' };
  if (!isTest(path) && !isDriver(from.folder) && !isOutermost(from))
    for (const { line, value } of facts.compared)
      if (networks.has(value))
        yield {
          line,
          rule: 'network-by-name',
          message: `compares with "${value}"; ask what contracts/networks.ts declares`,
        };
  if (isTest(path) || ENVIRONMENT_HOMES.some((home) => path.startsWith(home))) return;
  for (const line of facts.environment)
    yield { line, rule: 'environment-home', message: 'only packages/config reads process.env' };
}

/** `library`: the npm name that is imported; `target`: the workspace behind it; `leaves`: a path out of the package. */
function resolveImport({ specifier, path, from, byName }) {
  if (specifier === null || isBuiltin(specifier)) return {};
  if (specifier.startsWith('#')) return {};
  if (specifier.startsWith('.') || specifier.startsWith('/')) {
    const to = specifier.startsWith('/') ? specifier : posix.join(posix.dirname(path), specifier);
    const leaves = !to.startsWith(`${from.folder}/`);
    const target = leaves ? [...byName.values()].find(({ folder }) => to.startsWith(`${folder}/`)) : undefined;
    return { leaves, file: to, ...(target ? { target } : {}) };
  }
  const library = specifier
    .split('/')
    .slice(0, specifier.startsWith('@') ? 2 : 1)
    .join('/');
  return { library, target: byName.get(library) };
}

function* emptyNames(root) {
  for (const { path } of walk(root, '.')) {
    const name = posix.basename(path).replace(/\..*$/, '');
    if (EMPTY_NAME.test(name))
      yield { path, line: 1, rule: 'telling-name', message: `"${name}" says nothing about what is inside` };
  }
}
