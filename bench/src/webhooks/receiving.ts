import { waitUntil } from '@kurir/testing';
import { startMeasuredProcess } from '../processes/measured-process.js';
import type { Setting } from '../processes/setting.js';
import type { Arrival, Counted, ReceiverRequest, Trouble } from './receiver.js';

export type Receiver = {
  /** The address of this path. */
  urlOf(path: string): string;
  forget(): Promise<void>;
  /** Waits until `posts` different posts have arrived. */
  untilTaken(posts: number): Promise<Counted>;
  arrivals(): Promise<readonly Arrival[]>;
  trouble(trouble: Trouble): Promise<void>;
};

const takenWithinMs = 120_000;

export async function startReceiver(setting: Setting): Promise<Receiver> {
  const receiver = await startMeasuredProcess(setting, { path: 'bench/dist/webhooks/receiver.js' });
  const ask = <Answer>(request: ReceiverRequest) => receiver.ask<Answer>(request);
  const { port } = await ask<{ port: number }>({ kind: 'listen' });
  return {
    urlOf: (path) => `http://127.0.0.1:${port}${path}`,
    async forget() {
      await ask({ kind: 'forget' });
    },
    untilTaken(posts) {
      const areTaken = async () => {
        const counted = await ask<Counted>({ kind: 'count' });
        return counted.taken >= posts && counted;
      };
      return waitUntil(areTaken, { what: `${posts} posts have arrived`, timeoutMs: takenWithinMs, everyMs: 100 });
    },
    arrivals: async () => (await ask<{ arrivals: readonly Arrival[] }>({ kind: 'arrivals' })).arrivals,
    async trouble(trouble) {
      await ask({ kind: 'trouble', ...trouble });
    },
  };
}
