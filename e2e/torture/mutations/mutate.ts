/** Loaded into a program of the product before anything else: lets mutation-hooks.ts see what is loaded after it. */
import { register } from 'node:module';

const { TORTURE_MUTANT: mutant, TORTURE_MUTATION_LOG: log } = process.env;

register('./mutation-hooks.js', import.meta.url, { data: { mutant, log } });
