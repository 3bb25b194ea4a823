import { randomBytes } from 'node:crypto';
import { testSetting } from './environment.js';

/** The Redis of this test run. All tests share it, so each file takes a prefix of its own. */
export function testRedisUrl(): string {
  return testSetting('KURIR_TEST_REDIS_URL');
}

/** For `KURIR_QUEUE_PREFIX`: keys under it meet no other test's. */
export function uniqueQueuePrefix(): string {
  return `kurir-test-${randomBytes(6).toString('hex')}`;
}
