// Shows progress to a person: one line with its seconds for each finished step. A terminal also shows a moving line
// with the running steps. Without a terminal or with NO_COLOR it is plain text.
import { styleText } from 'node:util';

const FRAMES = ['⠋', '⠙', '⠹', '⠸', '⠼', '⠴', '⠦', '⠧', '⠇', '⠏'];
const FRAME_MS = 100;
const STILL_MS = 10_000;

const seconds = (ms) => `${(ms / 1000).toFixed(1)} s`;

export function openScreen(out = process.stdout) {
  const colourful = out.isTTY && !process.env.NO_COLOR && process.env.TERM !== 'dumb';
  const paint = (style, text) => (colourful ? styleText(style, text) : text);
  out.on?.('error', () => {}); // nobody reads any more (`npm start | head`), so continue in silence
  const running = new Map();
  let frame = 0;
  let timer;

  const clearLine = () => out.isTTY && running.size > 0 && out.write('\r\x1b[2K');

  function drawLine() {
    if (!out.isTTY || running.size === 0) return;
    const now = performance.now();
    const parts = [...running].map(([name, since]) => `${name} ${Math.round((now - since) / 1000)} s`);
    const line = `${FRAMES[frame % FRAMES.length]} ${parts.join(' · ')}`;
    out.write(`\r\x1b[2K${paint('dim', line.slice(0, (out.columns || 80) - 1))}`);
  }

  function say(text) {
    clearLine();
    out.write(`${text}\n`);
    drawLine();
  }

  function tick() {
    frame += 1;
    if (out.isTTY) return drawLine();
    const now = performance.now();
    for (const [name, since] of running) {
      const ms = now - since;
      if (ms % STILL_MS < FRAME_MS && ms > STILL_MS / 2) say(`  … ${name} (${Math.round(ms / 1000)} s)`);
    }
  }

  /** Runs `work`, shows that it runs, and shows how long it took. `work` may return a remark. */
  async function step(name, work) {
    const since = performance.now();
    running.set(name, since);
    timer ??= setInterval(tick, FRAME_MS).unref();
    const finish = (mark, remark) => {
      clearLine();
      running.delete(name);
      const detail = remark ? ` ${paint('dim', remark)}` : '';
      say(`${mark} ${name.padEnd(12)} ${paint('dim', seconds(performance.now() - since).padStart(7))}${detail}`);
    };
    try {
      const remark = await work();
      finish(paint('green', '✔'), typeof remark === 'string' ? remark : '');
    } catch (error) {
      finish(paint('red', '✘'), '');
      throw error;
    }
  }

  return {
    paint,
    say,
    step,
    warn: (text) => say(`${paint('yellow', '!')} ${text}`),
    fail: (text) => say(`${paint('red', '✘')} ${text}`),
  };
}
