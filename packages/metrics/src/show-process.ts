import { metrics } from './metrics.js';

export type ProcessState = {
  /** Connections to Postgres. */
  readonly connections: { readonly busy: number; readonly idle: number; readonly waiting: number };
  readonly isDatabaseUp: boolean;
  readonly isRedisUp: boolean;
};

/** Shows what api and worker have alike. */
export function showProcess({ connections, isDatabaseUp, isRedisUp }: ProcessState): void {
  const { busy, idle, waiting } = connections;
  metrics.databaseConnections.show([
    [{ state: 'busy' }, busy],
    [{ state: 'idle' }, idle],
    [{ state: 'waiting' }, waiting],
  ]);
  metrics.partsUp.show([
    [{ part: 'database' }, Number(isDatabaseUp)],
    [{ part: 'redis' }, Number(isRedisUp)],
  ]);
}
