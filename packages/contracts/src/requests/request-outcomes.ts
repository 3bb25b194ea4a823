/** The kinds of ends of a request. `aborted`: the caller went away before the answer. */
export const requestOutcomes = ['2xx', '4xx', '5xx', 'aborted'] as const;
export type RequestOutcome = (typeof requestOutcomes)[number];
