/** Runs before every file of e2e (vitest.config.ts): no test leaves Redis cut off for the next. */
import { restoreAllProxies } from '@kurir/testing';
import { afterEach } from 'vitest';

afterEach(restoreAllProxies);
