// The health check of a container: `node docker/is-ready.mjs URL` succeeds if the address returns 200.
const [url] = process.argv.slice(2);
const ready = await fetch(url, { signal: AbortSignal.timeout(4_000) }).then(
  (answer) => answer.status === 200,
  () => false,
);
process.exit(ready ? 0 : 1);
