type TestSetting = 'KURIR_TEST_TEMPLATE_URL' | 'KURIR_TEST_ADMIN_URL' | 'KURIR_TEST_REDIS_URL';

/** Returns a setting that `npm test` makes. Throws if the tests were started in another way. */
export function testSetting(name: TestSetting): string {
  const value = process.env[name];
  if (!value) {
    throw new Error(`${name} is not set: this test needs Postgres and Redis. Run it with "npm test -- <file>".`);
  }
  return value;
}
