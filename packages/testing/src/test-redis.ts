import { randomBytes } from 'node:crypto';
import { testSetting } from './environment.js';

/** The Redis of this test run. All tests share it, so each file uses its own prefix. */
export function testRedisUrl(): string {
  return testSetting('KURIR_TEST_REDIS_URL');
}

/** A value for `KURIR_QUEUE_PREFIX`. No other test uses its keys. */
export function uniqueQueuePrefix(): string {
  return `kurir-test-${randomBytes(6).toString('hex')}`;
}
