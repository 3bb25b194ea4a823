/** The other end of `MeasuredProcess.ask`: answers each request of the parent process with one message. */
export function answerRequests(answer: (request: never) => Promise<object>): void {
  process.on('message', (request) => {
    // The parent sends requests of the type that the child expects, because both belong to one program.
    answer(request as never).then(
      (message) => process.send?.(message),
      (error: unknown) => {
        console.error(error);
        process.exit(1);
      },
    );
  });
}
