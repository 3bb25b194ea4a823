/** Adds one path with its methods to Express. Any other method gets 405, with the allowed methods. */
import { ApiError } from '@kurir/contracts';
import type { Express, RequestHandler } from 'express';
import type { HttpAnswer } from './answer.js';

export type Methods = {
  readonly GET?: RequestHandler;
  readonly POST?: RequestHandler;
  readonly PATCH?: RequestHandler;
};

/** Returns the header Allow of a path that takes these methods. */
export function allowedMethods(methods: readonly string[], hasHead = true): string {
  const names = methods.flatMap((name) => (name === 'GET' && hasHead ? ['GET', 'HEAD'] : [name]));
  return [...names, 'OPTIONS'].join(', ');
}

/** Serves OPTIONS, and throws 405 for any other method. */
export function answerOtherMethod(answer: HttpAnswer, request: { method: string; path: string; allow: string }): void {
  const { method, path, allow } = request;
  answer.setHeader('Allow', allow);
  if (method !== 'OPTIONS')
    throw new ApiError('METHOD_NOT_ALLOWED', `${path} cannot be used with this method. Use ${allow}.`);
  answer.writeHead(204, []);
  answer.end('');
}

/** The route table writes `{name}`, and Express writes `:name`. */
const patternOf = (path: string) => path.replace(/\{(\w+)\}/g, ':$1');

export function addRoute(app: Express, path: string, methods: Methods): void {
  const allow = allowedMethods(Object.keys(methods));
  const route = app.route(patternOf(path));
  route.all((_req, res, next) => {
    res.locals.trace.route = path;
    next();
  });
  if (methods.GET) route.get(methods.GET);
  if (methods.POST) route.post(methods.POST);
  if (methods.PATCH) route.patch(methods.PATCH);
  route.all((req, res) => answerOtherMethod(res, { method: req.method, path, allow }));
}
