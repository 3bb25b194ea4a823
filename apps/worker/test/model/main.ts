/**
 * One process of `npm run model`: explores with what it is given as JSON, tells its progress and its end as lines of JSON
 * on standard output.
 */
import { type Exploration, explore } from './explore.js';
import { openStoppedClock } from './stopped-clock.js';

const progressEvery = 50;

const tell = (line: object) => void process.stdout.write(`${JSON.stringify(line)}\n`);

async function main(exploration: Exploration): Promise<void> {
  const clock = await openStoppedClock();
  let runs = 0;
  const onRun = () => {
    runs++;
    if (runs % progressEvery === 0) tell({ runs });
  };
  try {
    const failure = await explore(clock, { ...exploration, onRun });
    tell({ runs, failure });
  } finally {
    await clock.close();
  }
}

// Written by scripts/model.mjs, which has checked it.
main(JSON.parse(process.argv[2] ?? '{}') as Exploration).then(
  () => process.exit(0),
  (error: unknown) => {
    process.stderr.write(`${error instanceof Error ? error.stack : String(error)}\n`);
    process.exit(2);
  },
);
