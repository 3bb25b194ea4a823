/** Loaded into a worker that is measured: tells its parent, when asked, what it takes before and after a collection. */
import { isMainThread } from 'node:worker_threads';
import { answerRequests } from '../processes/answer-requests.js';
import { openCollector } from '../processes/open-collector.js';

export type Memory = {
  readonly residentBytes: number;
  readonly residentAfterCollectionBytes: number;
  /** What lives, with buffers outside V8's heap. */
  readonly heapBytes: number;
};

/** The first finds what the second can give back to the operating system. */
const collections = 3;

async function readMemory(): Promise<Memory> {
  const { rss: residentBytes } = process.memoryUsage();
  const collect = openCollector();
  for (let i = 0; i < collections; i += 1) {
    collect();
    await new Promise((resolve) => setTimeout(resolve, 100));
  }
  const { rss, heapUsed, external } = process.memoryUsage();
  return { residentBytes, residentAfterCollectionBytes: rss, heapBytes: heapUsed + external };
}

if (isMainThread) answerRequests(readMemory);
