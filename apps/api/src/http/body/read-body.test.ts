import { once } from 'node:events';
import { IncomingMessage } from 'node:http';
import { Socket } from 'node:net';
import { expect, test } from 'vitest';
import { BodyBudget } from './body-budget.js';
import { ClientGone, readBody } from './read-body.js';

test('the body of a sender who has left already is waited for by nobody', async () => {
  const req = new IncomingMessage(new Socket());
  req.headers['content-length'] = '5';
  req.destroy();
  await once(req, 'close');
  await expect(readBody(req, 10, new BodyBudget().open('key_a'))).rejects.toThrow(ClientGone);
});
