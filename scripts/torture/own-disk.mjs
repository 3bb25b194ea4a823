// A file system of its own for Postgres, so that it can run full without harm to anybody: an image file, mounted in a
// mount namespace that ends with the attack. Needs Linux, root and loop devices; elsewhere that one fault is left out.
import { execFileSync, spawnSync } from 'node:child_process';
import { existsSync, renameSync, rmSync, truncateSync, writeFileSync } from 'node:fs';
import { until } from '../local/until.mjs';

/** Sparse: only what is written takes room. */
const BYTES = 8 * 2 ** 30;

const tools = ['unshare', 'mkfs.ext4', 'fallocate', 'losetup'];

function isPossible() {
  if (process.platform !== 'linux' || process.getuid() !== 0) return false;
  const has = (tool) => spawnSync('sh', ['-c', `command -v ${tool}`]).status === 0;
  return (
    tools.every(has) && spawnSync('losetup', ['-f']).status === 0 && spawnSync('unshare', ['-m', 'true']).status === 0
  );
}

/** Of a run that was broken off a moment ago: its Postgres stops a few seconds later, and the image is free. */
async function untilFree(image) {
  const isFree = () => spawnSync('losetup', ['-j', image], { encoding: 'utf8' }).stdout.trim() === '';
  await until(isFree, { what: `The disk ${image} of an earlier run comes free`, timeoutMs: 30_000 });
}

/** Makes the image from what stands in `folder`; that of a run that is resumed is kept. */
function makeImage(image, folder) {
  if (existsSync(image)) return;
  const half = `${image}.new`;
  writeFileSync(half, '', { mode: 0o600 });
  truncateSync(half, BYTES);
  execFileSync('mkfs.ext4', ['-q', '-m', '0', '-E', 'lazy_itable_init=1', '-d', folder, half]);
  renameSync(half, image);
}

const MOUNT = 'mount -o loop "$0" "$1" && shift && exec "$@"';

/**
 * `{disk, command}`: the folder that may be filled, or null; and `command` as it has to be started so that the image lies
 * over that folder.
 */
export async function withOwnDisk(folder, command) {
  if (!isPossible()) return { disk: null, command };
  const image = `${folder}.img`;
  try {
    makeImage(image, folder);
  } catch {
    rmSync(`${image}.new`, { force: true }); // an mkfs without -d, a full disk: then without
    return { disk: null, command };
  }
  await untilFree(image);
  const { file, args } = command;
  return {
    disk: folder,
    command: { ...command, file: 'unshare', args: ['-m', 'sh', '-c', MOUNT, image, folder, file, ...args] },
  };
}
