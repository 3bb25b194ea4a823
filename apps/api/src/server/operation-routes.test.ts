import { IncomingMessage } from 'node:http';
import { Socket } from 'node:net';
import { expect, test } from 'vitest';
import { createRouter } from './operation-routes.js';

const serve = () => Promise.resolve();

function found(routes: Parameters<typeof createRouter>[0], url: string) {
  const req = new IncomingMessage(new Socket());
  req.url = url;
  return createRouter(routes)(req);
}

test('HEAD works for a GET with JSON, and not for a file or a stream', () => {
  const json = found([{ method: 'GET', path: '/one', serve }], '/one');
  const file = found([{ method: 'GET', path: '/one.csv', serve, answers: 'file' }], '/one.csv');
  expect(json).toMatchObject({ route: { allow: 'GET, HEAD, OPTIONS' } });
  expect(file).toMatchObject({ route: { allow: 'GET, OPTIONS' } });
  if (file === null || file === 'unreadable') throw new Error('the file has no route');
  expect([...file.route.byMethod.keys()]).toEqual(['GET']);
});

test('two operations with the same method and path stop the start', () => {
  const route = { method: 'GET', path: '/one', serve };
  expect(() => createRouter([route, route])).toThrow('two operations of one method');
});
