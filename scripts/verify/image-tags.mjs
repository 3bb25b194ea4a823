// Every image of Dockerfile and compose files must have an exact version. A tag such as `latest` or `17` means another
// image tomorrow, on each machine at another time.
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

/** The images that Dockerfile builds. */
const OURS = ['kurir', 'kurir-proxy'];
/** These count a version with two numbers, all others with three. */
const TWO_NUMBERS = ['postgres'];
const IMAGE_LINE = /^\s*image:\s*["']?([^\s"'#]+)/;
const FROM_LINE = /^FROM\s+(?:--\S+\s+)*(\S+)(?:\s+AS\s+(\S+))?/i;

/** `[{line, image}]` for the images in one file whose version may change. */
export function floatingImages(text) {
  const stages = new Set([...OURS, 'scratch']);
  const floating = [];
  for (const [index, line] of text.split('\n').entries()) {
    const [, image, stage] = IMAGE_LINE.exec(line) ?? FROM_LINE.exec(line) ?? [];
    if (image !== undefined && !stages.has(image) && !isExact(image)) floating.push({ line: index + 1, image });
    if (stage !== undefined) stages.add(stage);
  }
  return floating;
}

function isExact(image) {
  if (/@sha256:[0-9a-f]{64}$/.test(image)) return true;
  const [, name, tag] = /^(.+):([^:/]+)$/.exec(image) ?? [];
  if (tag === undefined) return false;
  const [, version = ''] = /^v?(\d+(?:\.\d+)*)(?:-|$)/.exec(tag) ?? [];
  return version.split('.').length >= (TWO_NUMBERS.includes(name.split('/').at(-1)) ? 2 : 3);
}

const isOfDocker = (name) => /^(Dockerfile|(docker-)?compose).*|\.Dockerfile$/.test(name);

/** Complaints about the files of `root`: `{files, problems: ["Dockerfile:3: …"]}`. */
export function checkImageTags(root) {
  const inFolder = readdirSync(join(root, 'docker')).map((name) => `docker/${name}`);
  const files = [
    ...readdirSync(root).filter(isOfDocker),
    ...inFolder.filter((path) => /\.ya?ml$|Dockerfile/.test(path)),
  ];
  const problems = files.flatMap((path) =>
    floatingImages(readFileSync(join(root, path), 'utf8')).map(
      ({ line, image }) => `${path}:${line}: the version of ${image} is not exact`,
    ),
  );
  return { files: files.length, problems };
}
