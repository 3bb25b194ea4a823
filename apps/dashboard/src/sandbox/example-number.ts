/** The number that is shown before any phone was written to; the demo uses it too. */
export const exampleNumber = '6281234567890';
