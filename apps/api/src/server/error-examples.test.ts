/**
 * Causes every error of every operation and stores the answers as the examples of the OpenAPI document. `vitest -u`
 * writes them again.
 */
import {
  type ErrorCode,
  errorCatalogue,
  errorCodes,
  type PublicOperationName,
  publicOperationNames,
} from '@kurir/contracts';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { createCustomer } from '../../test/customer-fixture.js';
import { cases } from '../../test/error-cases.js';
import { type Case, commonCases, type Stage } from '../../test/error-requests.js';
import { startApiOn, startTestApi } from '../../test/test-api.js';

const examplesFile = '../../../../packages/contracts/src/documents/error-examples.json';

/** Makes ids, times and counters equal in every run. */
function normalise(sentence: string): string {
  return sentence
    .replace(/\b([a-z]{3})_[0-9a-z]{26}\b/g, '$1_01kajp4m3s5y8zt0v6qk2c9hbe')
    .replace(/\b\d{13}\b/g, '1795255200000')
    .replace(/after=[0-9a-z]+(-[0-9a-z]+){3}/g, 'after=1-9k3-2sx-mvqxecje')
    .replace(/time is \d{10} \([^)]*\)/g, 'time is 1795255200 (2026-11-21T10:00:00.000Z)')
    .replace(/off by -\d+ s/g, 'off by -3600 s')
    .replace(/again in \d+ s/g, 'again in 42 s');
}

type Example = { readonly status: number; readonly code: string; readonly error: string };

async function produce(operation: PublicOperationName, code: ErrorCode, produceIt: Case): Promise<Example> {
  const answer = await produceIt(stage, operation);
  expect({ operation, ...answer.body }).toEqual({ operation, success: false, code, error: expect.any(String) });
  expect(answer.status).toBe(errorCatalogue[code].status);
  expect(answer.headers.get('X-Request-Id')).toMatch(/^req_/);
  return { status: answer.status, code, error: normalise(answer.body.error) };
}

type Task = { readonly operation: PublicOperationName; readonly code: ErrorCode; readonly produceIt: Case };

/** All cases, in the order of the route table and the catalogue. */
const tasks: readonly Task[] = publicOperationNames.flatMap((operation) => {
  const all: Partial<Record<ErrorCode, Case>> = { ...commonCases, ...cases[operation] };
  return errorCodes.flatMap((code) => {
    const produceIt = all[code];
    return produceIt === undefined ? [] : [{ operation, code, produceIt }];
  });
});

/** Runs the cases one after the other. Only those that wait for a timeout run in parallel. */
async function produceAll(): Promise<Partial<Record<PublicOperationName, Example[]>>> {
  const run = ({ operation, code, produceIt }: Task) => produce(operation, code, produceIt);
  const waiting = new Map(tasks.filter(({ code }) => code === 'DEVICE_TIMEOUT').map((task) => [task, run(task)]));
  const examples: Partial<Record<PublicOperationName, Example[]>> = {};
  for (const task of tasks) {
    const example = await (waiting.get(task) ?? run(task));
    examples[task.operation] = [...(examples[task.operation] ?? []), example];
  }
  return examples;
}

let stage: Stage;

beforeAll(async () => {
  const fail = () => Promise.reject(new Error('a part of ours is broken'));
  const brokenKeys = { read: fail, readAnew: fail };
  const well = await startTestApi();
  const { settings } = well;
  stage = {
    well,
    customer: await createCustomer(well.database),
    planless: await startTestApi(),
    limited: await startApiOn({ ...settings, KURIR_RATE_LIMIT_PER_MINUTE: 1 }),
    broken: await startApiOn(settings, { keys: brokenKeys }),
    unreachable: await startApiOn({ ...settings, DATABASE_URL: 'postgresql://postgres@127.0.0.1:1/none' }),
    unpaid: await startApiOn(settings, {
      payments: { name: 'failing', openPage: () => Promise.reject(new Error('the provider is down')) },
    }),
  };
});

afterAll(async () => {
  const { well, planless, limited, broken, unreachable, unpaid } = stage;
  await Promise.all([planless, limited, broken, unreachable, unpaid].map((api) => api.close()));
  await well.close();
});

test('every error of every operation has the envelope and equals its recorded example', async () => {
  await expect(`${JSON.stringify(await produceAll(), null, 2)}\n`).toMatchFileSnapshot(examplesFile);
});
