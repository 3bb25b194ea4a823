import { createSecretKey, randomBytes } from 'node:crypto';
import { newId } from '@kurir/contracts';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { decodeLaneJob, encodeLaneJob, type LaneJob } from './lane-job.js';

const key = createSecretKey(randomBytes(32));

const job: LaneJob = {
  messageId: newId('msg'),
  deviceId: newId('dev'),
  priority: 1,
  seq: 2n ** 62n,
  expiresAt: new Date('2026-11-21T09:00:00.123Z'),
  requestId: newId('req'),
};

describe('a job', () => {
  test('comes back from Redis as it went in, in whatever order its fields are', () => {
    const data = JSON.parse(JSON.stringify(encodeLaneJob(job, key)));
    expect(decodeLaneJob(data, key)).toEqual(job);
    expect(decodeLaneJob(Object.fromEntries(Object.entries(data).toReversed()), key)).toEqual(job);
    expect(decodeLaneJob(encodeLaneJob({ ...job, expiresAt: null }, key), key)).toEqual({ ...job, expiresAt: null });
  });

  test.each([
    ['m', newId('msg')],
    ['d', newId('dev')],
    ['p', 0],
    ['s', '1'],
    ['x', null],
    ['x', 1],
    ['r', 'req_other'],
    ['sig', encodeLaneJob({ ...job, priority: 0 }, key).sig],
    ['sig', ''],
  ])('whose field %s was changed to %j is not one of ours', (field, value) => {
    expect(decodeLaneJob({ ...encodeLaneJob(job, key), [field]: value }, key)).toBeNull();
  });

  test('with a field more or a field less is not one of ours', () => {
    const { r: _requestId, ...less } = encodeLaneJob(job, key);
    expect(decodeLaneJob(less, key)).toBeNull();
    expect(decodeLaneJob({ ...encodeLaneJob(job, key), text: 'x' }, key)).toBeNull();
  });

  test('signed with another key is not one of ours', () => {
    const stranger = createSecretKey(randomBytes(32));
    expect(decodeLaneJob(encodeLaneJob(job, stranger), key)).toBeNull();
  });

  test('that is any rubbish is not one of ours, and breaks nothing', () => {
    fc.assert(
      fc.property(fc.jsonValue(), (data) => {
        expect(decodeLaneJob(data, key)).toBeNull();
      }),
    );
  });

  test('names its message, device, order, expiry and request, and holds nothing else', () => {
    expect(Object.keys(encodeLaneJob(job, key)).toSorted()).toEqual(['d', 'm', 'p', 'r', 's', 'sig', 'x']);
  });
});
