// Writes the output of a program to its log file. Warnings, errors and lines that are no log lines also go to the
// screen.
// The screen shows only a few of them in a time, so that one program does not hide the others.
import { openLogFile } from '../state/log-file.mjs';

const WARN = 40;
const ERROR = 50;
const MAX_SHOWN = 5;
const WINDOW_MS = 5_000;

/** Returns `{text, severity}` of a line that a person should see, or null. */
export function worthShowing(line) {
  if (!line.startsWith('{')) return plainLine(line);
  let entry;
  try {
    entry = JSON.parse(line);
  } catch {
    return plainLine(line);
  }
  const level = typeof entry.level === 'number' ? entry.level : 30;
  if (level < WARN) return null;
  const cause = entry.err?.message ?? entry.error?.message;
  return { text: cause ? `${entry.msg}: ${cause}` : String(entry.msg), severity: level >= ERROR ? 'error' : 'warn' };
}

function plainLine(line) {
  if (/\b(ERROR|FATAL)\b|Error:/.test(line)) return { text: line, severity: 'error' };
  if (/\bWARN(ING)?\b/.test(line)) return { text: line, severity: 'warn' };
  return null;
}

/** Returns `{line(text), close()}` for the program `name`. `show` is `all`, `warnings` or `nothing`. */
export function programLog({ name, path, screen, show: wanted }) {
  const file = openLogFile(path);
  const limit = limiter(MAX_SHOWN, WINDOW_MS);
  const label = name.padEnd(9);

  function show(line) {
    if (wanted === 'all') return screen.say(`${screen.paint('dim', label)} ${line}`);
    if (wanted === 'nothing') return;
    const found = worthShowing(line);
    if (!found) return;
    const verdict = limit();
    const colour = found.severity === 'error' ? 'red' : 'yellow';
    if (verdict === 'show') screen.say(`${screen.paint(colour, label)} ${found.text}`);
    if (verdict === 'last') screen.say(`${screen.paint(colour, label)} … more in ${path}`);
  }

  return {
    line(text) {
      file.writeLine(text);
      show(text);
    },
    close: file.close,
  };
}

/** Returns `show` for the first `max` calls of a window, then `last` once, then `drop`. */
function limiter(max, windowMs) {
  let since = 0;
  let count = 0;
  return () => {
    const now = performance.now();
    if (now - since > windowMs) [since, count] = [now, 0];
    count += 1;
    if (count <= max) return 'show';
    return count === max + 1 ? 'last' : 'drop';
  };
}
