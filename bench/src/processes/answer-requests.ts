/** The other end of `Program.ask`: answers each request of the parent process with one message. */
export function answerRequests(answer: (request: never) => Promise<object>): void {
  process.on('message', (request) => {
    // Parent and child are two halves of one program: what the one asks is what the other takes.
    answer(request as never).then(
      (message) => process.send?.(message),
      (error: unknown) => {
        console.error(error);
        process.exit(1);
      },
    );
  });
}
