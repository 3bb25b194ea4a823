/**
 * Loaded into a measured worker: tells the parent process, on request, how much memory the worker uses before and after
 * a collection.
 */
import { isMainThread } from 'node:worker_threads';
import { answerRequests } from '../processes/answer-requests.js';
import { openCollector } from '../processes/open-collector.js';

export type Memory = {
  readonly residentBytes: number;
  readonly residentAfterCollectionBytes: number;
  /** Memory of live objects, including buffers outside V8's heap. */
  readonly heapBytes: number;
};

/** One collection finds memory that only the next one returns to the operating system. */
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
