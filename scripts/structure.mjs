// `npm run structure`: the rooms of the code, the arrows between them, and the longest functions and files.
import { root } from './local/paths.mjs';
import { checkStructure } from './structure/check-structure.mjs';

const help = `Usage: npm run structure -- [--json] [--longest N]

Counts folders, the imports between them, circles, and lines. \`npm run verify\` refuses what breaks a limit.

  --json        print everything as JSON
  --longest N   show the N longest functions and files (default 5)
  --help        show this
`;

const args = process.argv.slice(2);
const known = new Set(['--json', '--longest', '--help']);
const unknown = args.find((arg, index) => !known.has(arg) && args[index - 1] !== '--longest');
if (unknown !== undefined) {
  process.stderr.write(`Unknown option ${unknown}\n\n${help}`);
  process.exit(2);
}
if (args.includes('--help')) {
  process.stdout.write(help);
  process.exit(0);
}

const longest = args.includes('--longest') ? Number(args[args.indexOf('--longest') + 1]) : 5;
const { files, rooms, arrows, problems, functions, lengths } = checkStructure(root);
if (args.includes('--json')) {
  process.stdout.write(
    `${JSON.stringify({ files, rooms, arrows, problems, functions: functions.slice(0, longest), lengths: lengths.slice(0, longest) }, null, 2)}\n`,
  );
} else {
  const show = ({ path, line, name, lines }) =>
    `  ${String(lines).padStart(4)}  ${path}${line ? `:${line} ${name}` : ''}`;
  const rows = [
    `${files} files in ${rooms} folders, ${arrows} arrows between folders, ${problems.length} problems`,
    ...problems.map(({ path, rule, message }) => `  ${path}: ${message} (${rule})`),
    'Longest functions',
    ...functions.slice(0, longest).map(show),
    'Longest files',
    ...lengths.slice(0, longest).map(show),
  ];
  process.stdout.write(`${rows.join('\n')}\n`);
}
process.exitCode = problems.length > 0 ? 1 : 0;
