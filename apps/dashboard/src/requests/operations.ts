/** The operations of the public API, by name. */
import { routes } from '#routes';

const publicPath = '/api/v1/';
/** Only keys use it, so the routes of the dashboard leave it out. */
const onlyForKeys = ['sendBulk'];

export const operations: readonly (readonly [name: string, shown: string])[] = [
  ...Object.entries(routes).flatMap(([name, [, path]]) => (path.startsWith(publicPath) ? [name] : [])),
  ...onlyForKeys,
]
  .toSorted()
  .map((name) => [name, name]);
