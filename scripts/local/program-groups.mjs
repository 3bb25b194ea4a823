// The programs that this launcher keeps running, in groups. The group that was made last stops first.
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { Program } from './program.mjs';
import { programLog } from './program-log.mjs';

export function openProgramGroups({ stateDir, screen, verbose }) {
  const logDir = join(stateDir, 'logs');
  mkdirSync(logDir, { recursive: true, mode: 0o700 });
  const groups = [];
  let stopping = false;
  let stopped;

  // Postgres warns about the machine and reports every statement that it refuses.
  const showFor = ({ quiet }) => (verbose ? 'all' : quiet ? 'nothing' : 'warnings');

  function watchFor(name, log) {
    return {
      line: log.line,
      died: (outcome, pauseMs) => screen.fail(`${name} stopped (${outcome}); starting it again in ${pauseMs / 1000} s`),
      back: (ms) => screen.say(`${screen.paint('green', '✔')} ${name} is up again (${(ms / 1000).toFixed(1)} s)`),
    };
  }

  async function start(spec, group) {
    if (stopping) throw new Error('stopping');
    const path = join(logDir, `${spec.name}.log`);
    const log = programLog({ name: spec.name, path, screen, show: showFor(spec) });
    const program = new Program(spec, watchFor(spec.name, log));
    group.push({ program, log });
    try {
      await program.start();
    } catch (error) {
      throw stopping ? error : Object.assign(error, { lines: program.lastLines, logPath: log.path });
    }
  }

  async function stopGroup(group) {
    await Promise.all(
      group.map(async ({ program, log }) => {
        await program.stop();
        log.close();
      }),
    );
  }

  async function stopAll() {
    stopping = true;
    for (const group of groups.toReversed()) await stopGroup(group);
  }

  return {
    /** Returns a function that starts a program in a new group. The group stops together, after all later groups. */
    group() {
      const group = [];
      groups.push(group);
      return (spec) => start(spec, group);
    },
    /** Safe to call twice. */
    stop() {
      stopped ??= stopAll();
      return stopped;
    },
    kill() {
      for (const { program } of groups.flat()) program.kill();
    },
  };
}
