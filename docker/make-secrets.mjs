// `docker compose up` runs this first. The first run makes the secrets of this installation, and later runs keep them.
// It prints no secret. It runs as the same user as api and worker, so that they can read the files. Each program sees
// only the folders that it needs: docs/docker.md lists them.
import { randomBytes } from 'node:crypto';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { writeSecret as write } from './write-secret.mjs';

const [folder] = process.argv.slice(2);
const at = (...path) => join(folder, ...path);
const everybodyInside = 0o444;

function keep(path, make) {
  if (!existsSync(path)) write(path, make());
  return readFileSync(path, 'utf8');
}

const key = () => randomBytes(32).toString('base64');
const password = () => randomBytes(32).toString('base64url');
keep(at('keys', 'master_key'), key);
keep(at('keys', 'internal_key'), key);
const ownerPassword = keep(at('postgres', 'password'), password);
const appPassword = keep(at('owner', 'app_password'), password);
const redisPassword = keep(at('owner', 'redis_password'), password);

// These follow the settings on every start: see docker/own-databases.yml.
const { DATABASE_URL, DATABASE_OWNER_URL, REDIS_URL } = process.env;
const here = (user, secret) => `postgresql://${user}:${secret}@postgres:5432/kurir`;
const appUrl = DATABASE_URL || here('kurir_app', appPassword);
write(at('keys', 'database_url'), appUrl);
write(at('owner', 'app_database_url'), appUrl);
write(at('owner', 'database_url'), DATABASE_OWNER_URL || DATABASE_URL || here('kurir', ownerPassword));
write(at('keys', 'redis_url'), REDIS_URL || `redis://:${redisPassword}@redis:6379`);
write(at('redis', 'password'), redisPassword, everybodyInside);
write(at('redis', 'redis.conf'), `requirepass ${redisPassword}\n`, everybodyInside);
console.log('The secrets are in their volumes.');
