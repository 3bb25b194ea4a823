import { expect, test } from 'vitest';
import { drawSteps } from './draw-profile.js';
import { type CpuProfile, shareOut } from './profile-steps.js';

const node = (id: number, functionName: string, url: string, children: number[] = []) => ({
  id,
  callFrame: { functionName, url },
  children,
});

const profile: CpuProfile = {
  nodes: [
    node(1, '(root)', '', [2, 3, 4, 6]),
    node(2, '(idle)', ''),
    node(3, 'parserOnIncoming', 'node:_http_server', [5]),
    node(4, '(garbage collector)', ''),
    node(5, 'verifyRequest', 'file:///kurir/apps/api/dist/verify-request.js', [7]),
    node(6, 'require', 'node:internal/modules/cjs/loader'),
    node(7, 'update', 'node:internal/crypto/hash'),
  ],
  samples: [2, 3, 5, 7, 4, 6],
  timeDeltas: [1_000, 100, 150, 150, 100, 5_000],
};

test('what Node does for a step belongs to the step; idling and loading belong to nobody', () => {
  expect(shareOut(profile)).toEqual([
    { step: 'verify', share: 0.6 },
    { step: "Node's HTTP and sockets", share: 0.2 },
    { step: 'garbage collection', share: 0.2 },
  ]);
});

test('the picture says how much of a message each step is', () => {
  const picture = drawSteps('api', shareOut(profile), 200);
  expect(picture).toContain('api: 200 µs of CPU per message');
  expect(picture).toContain('120 µs, 60 %');
});
