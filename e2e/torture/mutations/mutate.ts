/**
 * Node loads this file first into a program under attack. It registers mutation-hooks.ts for all modules that follow.
 */
import { register } from 'node:module';

const { TORTURE_MUTANT: mutant, TORTURE_MUTATION_LOG: log } = process.env;

register('./mutation-hooks.js', import.meta.url, { data: { mutant, log } });
