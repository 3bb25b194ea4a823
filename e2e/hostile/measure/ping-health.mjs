// A thread of its own, because the attacker keeps its own event loop busy. It asks for the health of the api again and
// again, and posts the times that it took.
import { Agent, get } from 'node:http';
import { parentPort, workerData } from 'node:worker_threads';

const everyMs = 20;
const agent = new Agent({ keepAlive: true });
let times = [];

function ping() {
  const since = performance.now();
  const request = get(workerData.url, { agent }, (answer) => {
    answer.resume();
    answer.once('end', () => times.push(performance.now() - since));
  });
  request.once('error', () => times.push(Number.POSITIVE_INFINITY));
}

parentPort.on('message', () => {
  // oxlint-disable-next-line unicorn/require-post-message-target-origin -- a thread has no origin
  parentPort.postMessage(times);
  times = [];
});

// A slow answer must not keep the next question back. Otherwise a standstill would count as one slow answer.
setInterval(ping, everyMs);
