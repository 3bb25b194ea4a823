/** The role `broadcasts`: plans and drives broadcasts, runs imports, and does the housekeeping of the database. */
import { startPlanning } from '../audiences/start-planning.js';
import { driveBroadcasts } from '../broadcasts/drive-broadcasts.js';
import { startImports } from '../contacts/start-imports.js';
import { repeatAll } from '../sweep/chores.js';
import { housekeepingChores } from '../sweep/housekeeping.js';
import type { RoleParts } from './role-parts.js';

/** Returns the function that gives import and audience back and ends. */
export function startBroadcasts(parts: RoleParts): () => Promise<void> {
  const { log } = parts;
  const stopChores = repeatAll(
    [
      { name: 'drive broadcasts', everyMs: 500, run: (signal) => driveBroadcasts(parts, signal) },
      ...housekeepingChores(parts),
    ],
    log,
  );
  const stopImports = startImports(parts);
  const stopPlanning = startPlanning(parts);
  return async () => {
    stopChores();
    await Promise.all([stopImports(), stopPlanning()]);
  };
}
