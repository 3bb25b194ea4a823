/** Loaded into a program of the product before anything else: lets mutation-hooks.ts see what is loaded after it. */
import { register } from 'node:module';

register('./mutation-hooks.js', import.meta.url, { data: { mutant: process.env['TORTURE_MUTANT'] } });
