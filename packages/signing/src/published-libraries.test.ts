/**
 * Verifies our signatures with the published libraries of Standard Webhooks. Those of Python, PHP and Ruby run from a
 * clone of https://github.com/standard-webhooks/standard-webhooks, which STANDARD_WEBHOOKS_CHECKOUT names.
 */
import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { Webhook } from 'standardwebhooks';
import { Webhook as SvixWebhook } from 'svix';
import { describe, expect, it } from 'vitest';
import { makeWebhookSecret, signWebhook, verifyWebhook } from './webhooks.js';

type Headers = Record<string, string>;
/** Returns whether the library takes the webhook. */
type Verifier = (secret: string, headers: Headers, body: string) => boolean;

const takes = (verify: () => unknown): boolean => {
  try {
    verify();
    return true;
  } catch {
    // The library throws if it refuses.
    return false;
  }
};

const libraries = join(process.env['STANDARD_WEBHOOKS_CHECKOUT'] ?? '', 'libraries');

const python = `
import json, sys
sys.path.insert(0, "${libraries}/python")
from standardwebhooks import Webhook, WebhookVerificationError
secret, headers, body = json.load(sys.stdin)
try:
    Webhook(secret).verify(body, headers)
    print("taken")
except WebhookVerificationError:
    print("refused")
`;
const php = `
require "${libraries}/php/init.php";
[$secret, $headers, $body] = json_decode(stream_get_contents(STDIN), true);
try {
    (new StandardWebhooks\\Webhook($secret))->verify($body, $headers);
    echo "taken";
} catch (StandardWebhooks\\Exception\\WebhookVerificationException $refusal) {
    echo "refused";
}
`;
const ruby = `
require "json"
$LOAD_PATH.unshift "${libraries}/ruby/lib"
require "standardwebhooks"
secret, headers, body = JSON.parse(STDIN.read)
begin
  StandardWebhooks::Webhook.new(secret).verify(body, headers)
  puts "taken"
rescue StandardWebhooks::WebhookVerificationError
  puts "refused"
end
`;

const programs = {
  Python: ['python3', '-c', python],
  PHP: ['php', '-r', php],
  Ruby: ['ruby', '-e', ruby],
} as const;

function programVerifier([program, ...args]: readonly [string, ...string[]]): Verifier {
  return (...webhook) => {
    const { stdout, stderr } = spawnSync(program, args, { input: JSON.stringify(webhook), encoding: 'utf8' });
    if (!/^(?:taken|refused)\s*$/.test(stdout)) throw new Error(stdout + stderr);
    return stdout.trim() === 'taken';
  };
}

function missing(program: string): string | null {
  if (process.env['STANDARD_WEBHOOKS_CHECKOUT'] === undefined) return 'STANDARD_WEBHOOKS_CHECKOUT is not set';
  return spawnSync(program, ['--version']).status === 0 ? null : `${program} is not installed`;
}

const verifiers: [name: string, skipped: string | null, Verifier][] = [
  ['standardwebhooks of npm', null, (secret, headers, body) => takes(() => new Webhook(secret).verify(body, headers))],
  ['svix of npm', null, (secret, headers, body) => takes(() => new SvixWebhook(secret).verify(body, headers))],
  ...Object.entries(programs).map(([language, command]): (typeof verifiers)[number] => [
    `the library of ${language}`,
    missing(command[0]),
    programVerifier(command),
  ]),
];

const seconds = () => Math.floor(Date.now() / 1000);
const bodies = [
  '{"id":"evt_1","type":"message.received","data":{"text":"Kode é e\u0301 🚀 \\\\ / <b>"}}',
  '{"id":"evt_2","type":"webhook.ping","data":{}}',
];

describe.each(verifiers)('%s', (name, skipped, verify) => {
  it('takes what signWebhook signed, with one secret or during a rotation', (ctx) => {
    if (skipped !== null) ctx.skip(skipped);
    const [secret, next] = [makeWebhookSecret(), makeWebhookSecret()];
    for (const body of bodies) {
      const webhook = { id: 'evt_1', timestamp: seconds(), body };
      expect(verify(secret, { ...signWebhook([secret], webhook) }, body)).toBe(true);
      const both = { ...signWebhook([next, secret], webhook) };
      expect([verify(secret, both, body), verify(next, both, body)]).toEqual([true, true]);
    }
  });

  it('refuses what verifyWebhook refuses', (ctx) => {
    if (skipped !== null) ctx.skip(skipped);
    const secret = makeWebhookSecret();
    const [body = '', other = ''] = bodies;
    const signed = (timestamp: number) => ({ ...signWebhook([secret], { id: 'evt_1', timestamp, body }) });
    const cases: [string, Headers, string][] = [
      [secret, signed(seconds()), body],
      [secret, signed(seconds()), other],
      [makeWebhookSecret(), signed(seconds()), body],
      [secret, { ...signed(seconds()), 'webhook-id': 'evt_2' }, body],
      [secret, signed(seconds() - 320), body],
      [secret, signed(seconds() + 320), body],
      [secret, {}, body],
    ];
    const ours = cases.map(([known, headers, text]) => verifyWebhook([known], headers, text) === 'valid');
    expect(ours).toEqual([true, false, false, false, false, false, false]);
    expect(
      cases.map((webhook) => verify(...webhook)),
      name,
    ).toEqual(ours);
  });
});
