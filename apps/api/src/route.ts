/** One path with its methods: any other method gets 405 and hears which ones there are. */
import { ApiError } from '@kurir/contracts';
import type { Express, RequestHandler } from 'express';

export type Methods = {
  readonly GET?: RequestHandler;
  readonly POST?: RequestHandler;
  readonly PATCH?: RequestHandler;
};

function allowedMethods(methods: Methods): string {
  const names = Object.keys(methods).flatMap((name) => (name === 'GET' ? ['GET', 'HEAD'] : [name]));
  return [...names, 'OPTIONS'].join(', ');
}

/** `{name}` of the route table is `:name` of Express. */
const patternOf = (path: string) => path.replace(/\{(\w+)\}/g, ':$1');

export function addRoute(app: Express, path: string, methods: Methods): void {
  const allow = allowedMethods(methods);
  const route = app.route(patternOf(path));
  route.all((_req, res, next) => {
    res.locals.trace.route = path;
    next();
  });
  if (methods.GET) route.get(methods.GET);
  if (methods.POST) route.post(methods.POST);
  if (methods.PATCH) route.patch(methods.PATCH);
  route.all((req, res) => {
    res.setHeader('Allow', allow);
    if (req.method === 'OPTIONS') return void res.writeHead(204).end();
    throw new ApiError('METHOD_NOT_ALLOWED', `${path} cannot be used with this method. Use ${allow}.`);
  });
}
