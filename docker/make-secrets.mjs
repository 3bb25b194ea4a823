// `docker compose up` runs this first. The first run makes the secrets of this installation, and later runs keep them.
// It prints no secret. It runs as the same user as api and worker, so that they can read the files. Postgres has its
// own volume, because it must not see the keys.
import { randomBytes } from 'node:crypto';
import { chmodSync, closeSync, existsSync, fsyncSync, openSync, readFileSync, renameSync, writeSync } from 'node:fs';
import { dirname, join } from 'node:path';

const [keys, postgres] = process.argv.slice(2);

function syncFolder(path) {
  const folder = openSync(path, 'r');
  fsyncSync(folder);
  closeSync(folder);
}

/** The file has all of its text or does not exist, even if the machine loses its power. */
function write(path, text) {
  const file = openSync(`${path}.new`, 'w', 0o600);
  writeSync(file, text);
  fsyncSync(file);
  closeSync(file);
  chmodSync(`${path}.new`, 0o400);
  renameSync(`${path}.new`, path);
  syncFolder(dirname(path));
}

function keep(path, make) {
  if (!existsSync(path)) write(path, make());
  return readFileSync(path, 'utf8');
}

const key = () => randomBytes(32).toString('base64');
keep(join(keys, 'master_key'), key);
keep(join(keys, 'internal_key'), key);
const password = keep(join(postgres, 'password'), () => randomBytes(32).toString('base64url'));

// These addresses follow the settings on every start: see docker/own-databases.yml.
write(join(keys, 'database_url'), process.env.DATABASE_URL || `postgresql://kurir:${password}@postgres:5432/kurir`);
write(join(keys, 'redis_url'), process.env.REDIS_URL || 'redis://redis:6379');
console.log('The secrets are in their volumes.');
