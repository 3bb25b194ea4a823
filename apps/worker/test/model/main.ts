/**
 * One process of `npm run model`. Its argument is an exploration as JSON. It writes its progress and its result to standard
 * output, as lines of JSON.
 */
import { type Exploration, explore } from './explore.js';
import { openStoppedClock } from './stopped-clock.js';

const progressEvery = 50;

const report = (line: object) => void process.stdout.write(`${JSON.stringify(line)}\n`);

async function main(exploration: Exploration): Promise<void> {
  const clock = await openStoppedClock();
  let runs = 0;
  const onRun = () => {
    runs++;
    if (runs % progressEvery === 0) report({ runs });
  };
  try {
    const failure = await explore(clock, { ...exploration, onRun });
    report({ runs, failure });
  } finally {
    await clock.close();
  }
}

// `scripts/model.mjs` has checked the argument.
main(JSON.parse(process.argv[2] ?? '{}') as Exploration).then(
  () => process.exit(0),
  (error: unknown) => {
    process.stderr.write(`${error instanceof Error ? error.stack : String(error)}\n`);
    process.exit(2);
  },
);
