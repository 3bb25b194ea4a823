// Loaded into a program that is attacked. On SIGUSR2 it writes how late its event loop was since the last time.
import { monitorEventLoopDelay } from 'node:perf_hooks';

const resolution = 5;
const delay = monitorEventLoopDelay({ resolution });
delay.enable();

// The histogram holds the time between two ticks of its timer, in nanoseconds.
const late = (nanoseconds) => Math.max(0, Math.round(nanoseconds / 1e5 - 10 * resolution) / 10);

process.on('SIGUSR2', () => {
  const eventLoop = { p50: late(delay.percentile(50)), p99: late(delay.percentile(99)), max: late(delay.max) };
  process.stdout.write(`${JSON.stringify({ eventLoop })}\n`);
  delay.reset();
});
