/** The sandbox shows this number until a message reaches a phone. The demo account writes to it too. */
export const exampleNumber = '6281234567890';
