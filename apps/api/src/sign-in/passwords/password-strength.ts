/** Refuses passwords that an attacker tries early: common ones, repetitions, and what is known of the person. */
import { adjacencyGraphs, dictionary } from '@zxcvbn-ts/language-common';
import { ZxcvbnFactory } from '@zxcvbn-ts/core';

const minGuesses = 10_000_000;

/** A longer password is not easier to guess, and the time of the estimate grows faster than the length. */
const estimatedLength = 24;

/** Words that Indonesians often use in passwords. The library knows the passwords of leaks. */
const commonWords = ['kurir', 'rahasia', 'sandi', 'sayang', 'cinta', 'indonesia', 'jakarta', 'bismillah', 'merdeka'];

const estimator = new ZxcvbnFactory({ dictionary, graphs: adjacencyGraphs });

/** `known` is the address and the name of the person. */
export function isEasyToGuess(password: string, known: readonly string[]): boolean {
  const begin = (text: string) => text.slice(0, estimatedLength);
  const words = known.flatMap((text) => [text, ...text.split(/[^\p{L}\p{N}]+/u)]).filter((word) => word.length > 2);
  const { guesses } = estimator.check(begin(password), [...words.map(begin), ...commonWords]);
  return guesses < minGuesses;
}
