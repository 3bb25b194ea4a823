import { expect, test } from 'vitest';
import { type HealthFacts, judgeHealth } from './judge-health.js';

const well: HealthFacts = {
  banned: false,
  restricted: false,
  warned: false,
  sent: 100,
  failed: 0,
  refused: 0,
  unknown: 0,
  optedOut: 0,
  overSent: 100,
  overDelivered: 90,
  earlierSent: 400,
  earlierDelivered: 360,
};

const nobody: HealthFacts = { ...well, sent: 0, overSent: 0, overDelivered: 0, earlierSent: 0, earlierDelivered: 0 };

test.each<[what: string, facts: Partial<HealthFacts>, word: string, reasons: string[]]>([
  ['nothing bad', {}, 'good', []],
  ['a few failures', { sent: 91, failed: 9 }, 'good', []],
  ['a tenth of failures and refusals', { sent: 90, failed: 5, refused: 5 }, 'watch', ['failures']],
  ['nearly a fifth of failures', { sent: 81, failed: 19 }, 'watch', ['failures']],
  ['a fifth of failures', { sent: 80, refused: 20 }, 'at_risk', ['failures']],
  ['messages without an answer, which are no failures', { sent: 50, unknown: 50 }, 'good', []],
  ['49 failures of 49 messages', { sent: 0, failed: 49 }, 'good', []],
  ['50 failures of 50 messages', { sent: 0, failed: 50, overSent: 0 }, 'at_risk', ['failures']],
  ['one person who opted out', { optedOut: 1 }, 'good', []],
  ['three of two hundred who opted out', { sent: 200, optedOut: 3 }, 'watch', ['opt_outs']],
  ['three of a hundred who opted out', { optedOut: 3 }, 'at_risk', ['opt_outs']],
  ['12 points fewer deliveries', { overDelivered: 78 }, 'good', []],
  ['13 points fewer deliveries', { overDelivered: 77 }, 'watch', ['fewer_delivered']],
  ['25 points fewer deliveries', { overDelivered: 65 }, 'at_risk', ['fewer_delivered']],
  ['more deliveries', { overDelivered: 100 }, 'good', []],
  ['no deliveries, without an earlier share', { overDelivered: 0, earlierSent: 49 }, 'good', []],
  ['no deliveries of few messages', { overSent: 49, overDelivered: 0 }, 'good', []],
  ['a warning of the network', { warned: true }, 'watch', ['network_warning']],
  ['a restriction', { restricted: true }, 'restricted', ['network_restriction']],
  ['a ban', { banned: true }, 'restricted', ['banned']],
  ['no messages at all', nobody, 'good', []],
  ['a warning without messages', { ...nobody, warned: true }, 'watch', ['network_warning']],
  [
    'everything at once',
    { banned: true, restricted: true, warned: true, sent: 50, failed: 50, optedOut: 2, overDelivered: 75 },
    'restricted',
    ['banned', 'network_restriction', 'failures', 'opt_outs', 'network_warning', 'fewer_delivered'],
  ],
])('%s', (_what, facts, word, reasons) => {
  const judged = judgeHealth({ ...well, ...facts });
  expect([judged.word, judged.reasons.map(({ reason }) => reason)]).toEqual([word, reasons]);
});

test('each reason has its own level, and its share in percent with one digit', () => {
  const { reasons } = judgeHealth({ ...well, warned: true, sent: 300, failed: 41, optedOut: 10 });
  expect(reasons).toEqual([
    { reason: 'opt_outs', level: 'at_risk', percent: 3.3 },
    { reason: 'network_warning', level: 'watch', percent: null },
    { reason: 'failures', level: 'watch', percent: 12 },
  ]);
});

test('more opt-outs than messages are all of them', () => {
  expect(judgeHealth({ ...well, sent: 50, optedOut: 60 }).reasons).toEqual([
    { reason: 'opt_outs', level: 'at_risk', percent: 100 },
  ]);
});
