/** The other end of `Program.ask`: answers each request of the parent process with one message. */
export function answerRequests<Request>(answer: (request: Request) => Promise<object>): void {
  process.on('message', (request: Request) => {
    answer(request).then(
      (message) => process.send?.(message),
      (error: unknown) => {
        console.error(error);
        process.exit(1);
      },
    );
  });
}
