// A file system for Postgres alone, so that its disk can run full without other damage. It is an image file in a mount
// namespace that ends with the attack. It needs Linux, root and loop devices. Elsewhere the attack leaves this fault
// out.
import { execFileSync, spawnSync } from 'node:child_process';
import { existsSync, renameSync, rmSync, truncateSync, writeFileSync } from 'node:fs';
import { until } from '../local/until.mjs';

/** The file is sparse. Only written parts take space. */
const BYTES = 8 * 2 ** 30;

const tools = ['unshare', 'mkfs.ext4', 'fallocate', 'losetup'];

function isPossible() {
  if (process.platform !== 'linux' || process.getuid() !== 0) return false;
  const has = (tool) => spawnSync('sh', ['-c', `command -v ${tool}`]).status === 0;
  return (
    tools.every(has) && spawnSync('losetup', ['-f']).status === 0 && spawnSync('unshare', ['-m', 'true']).status === 0
  );
}

/** Waits until the Postgres of an interrupted run has stopped and released the image. */
async function untilFree(image) {
  const isFree = () => spawnSync('losetup', ['-j', image], { encoding: 'utf8' }).stdout.trim() === '';
  await until(isFree, { what: `The disk ${image} of an earlier run comes free`, timeoutMs: 30_000 });
}

/** Makes the image from the content of `folder`. A resumed run keeps its image. */
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
 * Returns `{disk, command}`. `disk` is the folder that may be filled, or null. `command` mounts the image over that
 * folder before it starts.
 */
export async function withOwnDisk(folder, command) {
  if (!isPossible()) return { disk: null, command };
  const image = `${folder}.img`;
  try {
    makeImage(image, folder);
  } catch {
    rmSync(`${image}.new`, { force: true }); // an old mkfs or a full disk: run without this fault
    return { disk: null, command };
  }
  await untilFree(image);
  const { file, args } = command;
  return {
    disk: folder,
    command: { ...command, file: 'unshare', args: ['-m', 'sh', '-c', MOUNT, image, folder, file, ...args] },
  };
}
