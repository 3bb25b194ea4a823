/**
 * Vitest runs this file before every test file of e2e. It reconnects Redis after each test, in case the test cut it
 * off.
 */
import { restoreAllProxies } from '@kurir/testing';
import { afterEach } from 'vitest';

afterEach(restoreAllProxies);
