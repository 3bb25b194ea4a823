// A small repository whose sentences break each rule once, in each place where sentences are read. If the check does not find
// exactly these, a reader or a rule is asleep.
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { checkProse, PROSE_RULES } from './prose.mjs';

const long = PROSE_RULES['short-sentence'].planted;

const FILES = {
  'docs/glossary.md': '| Not | But |\n|---|---|\n| oldword | new word |\n\nThe oldword stands here.\n',
  'src/comments.ts': `// what is full waits.\nexport const a = 1;\n/**\n * It takes 12 ms.\n * Returns null.\n */\n`,
  'src/two-lines.mjs': `// A comment goes on in the next line, and is one sentence with the words of the line before it, which are already\n// too many words.\n`,
  'src/directive.ts': '// biome-ignore lint: of no interest\n// biome formats. Answers null here.\n',
  'src/errors.ts': `throw new ApiError('NOT_FOUND', 'Of the devices none has this id.');`,
  'src/texts.ts': `export const text = 'Of the texts of pages nobody complains.'; // fine\n`,
  'schema.prisma': '/// Whatever is kept.\nmodel A {\n}\n',
  'README.md': `# What this is\n\n> ${long}\n\n| What | Figure |\n|---|---|\n| Of the cells one | 12 ms |\n\n\`\`\`\nOf the code nothing is read.\n\`\`\`\n\n- **What is bold** waits.\n- An oldword stands here.\n`,
  'docs/openapi.json': `{\n  "description": "Who asks waits."\n}\n`,
  'docs/lab/old.md': 'Of old journals nothing is read.\n',
};

const EXPECTED = [
  'src/comments.ts no-clause-as-subject',
  'src/comments.ts no-figures',
  'src/two-lines.mjs short-sentence',
  'src/directive.ts returns-not-answers',
  'src/errors.ts no-fronted-of',
  'schema.prisma no-clause-as-subject',
  'README.md short-sentence',
  'README.md no-fronted-of',
  'README.md no-clause-as-subject',
  'README.md glossary-word',
  'docs/openapi.json no-clause-as-subject',
];

/** Complaints about the check; empty if it finds all that is planted and nothing else. */
export function checkPlantedProse() {
  const root = mkdtempSync(join(tmpdir(), 'kurir-planted-'));
  try {
    for (const [path, text] of Object.entries(FILES)) {
      mkdirSync(dirname(join(root, path)), { recursive: true });
      writeFileSync(join(root, path), text);
    }
    const found = checkProse(root).problems.map(({ path, rule }) => `${path} ${rule}`);
    return [
      ...EXPECTED.filter((one) => !found.includes(one)).map((one) => `the check of prose does not see: ${one}`),
      ...found
        .filter((one, at) => !EXPECTED.includes(one) || found.indexOf(one) !== at)
        .map((one) => `the check of prose complains about: ${one}`),
      ...innocentSentences(),
    ];
  } finally {
    rmSync(root, { recursive: true });
  }
}

function innocentSentences() {
  return Object.entries(PROSE_RULES).flatMap(([rule, { breaks, planted, innocent }]) => [
    ...(breaks({ text: planted, kind: 'comment' }) ? [] : [`the rule ${rule} does not see: ${planted}`]),
    ...(breaks({ text: innocent, kind: 'comment' }) ? [`the rule ${rule} complains about: ${innocent}`] : []),
  ]);
}
