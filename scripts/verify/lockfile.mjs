// package-lock.json must serve Linux, macOS and Windows, but the npm of a developer sees only one of them. If a registry
// lacks a package of another platform, npm silently leaves it out. `npm ci` then fails on that platform.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { findWorkspaces, readManifest } from '../source/source-files.mjs';

const EXACT = /^(?:npm:(?:@[\w.-]+\/)?[\w.-]+@)?\d+\.\d+\.\d+(?:-[\w.]+)?$/;
const KINDS = ['dependencies', 'devDependencies', 'optionalDependencies'];

/** Complaints about the lockfile of `root`. */
export function checkLockfile(root) {
  const lockfile = JSON.parse(readFileSync(join(root, 'package-lock.json'), 'utf8'));
  const manifests = findWorkspaces(root).map(({ folder, manifest }) => [folder, manifest]);
  return lockfileProblems(lockfile, Object.fromEntries([['', readManifest(root, '.')], ...manifests]));
}

/** The same on parsed files; `manifests` is keyed by folder, the root's by the empty string. */
export function lockfileProblems(lockfile, manifests) {
  return [
    ...missingPackages(lockfile),
    ...foreignHosts(lockfile),
    ...differences(lockfile, manifests),
    ...inexact(manifests),
  ];
}

/** Every dependency of every package has an entry in a folder where Node would find it, also those of other platforms. */
function* missingPackages({ packages }) {
  for (const [path, entry] of Object.entries(packages)) {
    for (const name of Object.keys({ ...entry.dependencies, ...entry.optionalDependencies })) {
      if (!isFound(packages, path, name)) yield `${name}, needed by ${path || 'the root'}, is missing`;
    }
  }
}

function isFound(packages, path, name) {
  for (let folder = path; ; folder = parentOf(folder)) {
    if (packages[`${folder}${folder && '/'}node_modules/${name}`]) return true;
    if (!folder) return false;
  }
}

function parentOf(folder) {
  const nested = folder.lastIndexOf('/node_modules/');
  return nested >= 0 ? folder.slice(0, nested) : '';
}

/** A mirror's address in the lockfile works only where that mirror is. */
function* foreignHosts({ packages }) {
  for (const [path, { resolved }] of Object.entries(packages)) {
    if (/^https?:/.test(resolved ?? '') && !resolved.startsWith('https://registry.npmjs.org/')) {
      yield `${path} comes from ${new URL(resolved).host}`;
    }
  }
}

/** A package.json that changed without the lockfile: `npm ci` refuses it, or links commands where they were. */
function* differences({ packages }, manifests) {
  for (const [folder, manifest] of Object.entries(manifests)) {
    for (const kind of KINDS) {
      const wanted = JSON.stringify(sorted(manifest[kind]));
      if (JSON.stringify(sorted(packages[folder]?.[kind])) !== wanted)
        yield `${kind} of ${folder || 'the root'} differ; run npm install`;
    }
    if (commandsOf(manifest) !== commandsOf(packages[folder])) yield `bin of ${folder} differs; run npm install`;
  }
}

/** The paths of a package's commands, by which npm links them. */
function commandsOf({ bin } = {}) {
  const entries = sorted(bin).map(([name, path]) => [name, path.replace(/^\.\//, '')]);
  return JSON.stringify(entries);
}

const sorted = (record = {}) => Object.entries(record).sort(([a], [b]) => a.localeCompare(b));

function* inexact(manifests) {
  for (const [folder, manifest] of Object.entries(manifests)) {
    for (const kind of KINDS) {
      for (const [name, version] of Object.entries(manifest[kind] ?? {})) {
        if (!EXACT.test(version)) yield `${name} in ${folder || 'the root'} is "${version}"; exact versions only`;
      }
    }
  }
}
