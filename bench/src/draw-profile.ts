/**
 * Draws where the time of a message goes: `node bench/dist/draw-profile.js PROFILE TITLE MICROSECONDS > picture.svg`,
 * with a profile that `npm run bench -- … --cpu-prof DIR` left, and the CPU time per message that the same run printed.
 */
import { readFileSync } from 'node:fs';
import { type CpuProfile, shareOut, type StepShare } from './profile-steps.js';

const rowHeight = 26;
const labelWidth = 220;
const barWidth = 420;
const width = labelWidth + barWidth + 110;
const smallestShown = 0.005;

const escaped = (text: string) => text.replace(/[&<>]/g, (char) => `&#${char.charCodeAt(0)};`);

function drawRow({ step, share }: StepShare, row: number, largest: number, microseconds: number): string {
  const y = 44 + row * rowHeight;
  const length = Math.max(1, (share / largest) * barWidth);
  return [
    `<text x="${labelWidth - 8}" y="${y + 14}" text-anchor="end">${escaped(step)}</text>`,
    `<rect x="${labelWidth}" y="${y}" width="${length.toFixed(1)}" height="18" rx="2"/>`,
    `<text x="${labelWidth + length + 6}" y="${y + 14}">${(share * microseconds).toFixed(0)} µs, ${(share * 100).toFixed(0)} %</text>`,
  ].join('\n  ');
}

export function drawSteps(title: string, steps: readonly StepShare[], microseconds: number): string {
  const shown = steps.filter(({ share }) => share >= smallestShown);
  const height = 56 + shown.length * rowHeight;
  const largest = shown[0]?.share ?? 1;
  const rows = shown.map((step, row) => drawRow(step, row, largest, microseconds)).join('\n  ');
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${width} ${height}" role="img">
  <style>text { font: 13px system-ui, sans-serif; fill: #444 } rect { fill: #3b7a9e } .title { font-weight: 600 }
    @media (prefers-color-scheme: dark) { text { fill: #ccc } rect { fill: #6fb3d9 } }</style>
  <text class="title" x="8" y="22">${escaped(title)}: ${Math.round(microseconds)} µs of CPU per message</text>
  ${rows}
</svg>
`;
}

function main([file, title, microseconds]: readonly string[]): void {
  if (file === undefined || title === undefined || !(Number(microseconds) > 0))
    throw new Error('draw-profile.js PROFILE TITLE MICROSECONDS');
  // V8 writes its profiles in this shape.
  const profile = JSON.parse(readFileSync(file, 'utf8')) as CpuProfile;
  process.stdout.write(drawSteps(title, shareOut(profile), Number(microseconds)));
}

if (process.argv[1]?.endsWith('draw-profile.js')) main(process.argv.slice(2));
