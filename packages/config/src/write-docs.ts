/**
 * Generates docs/configuration.md and .env.example from the table of settings. With `--check` it fails if they are
 * stale.
 */
import { readFileSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { z } from 'zod';
import type { Setting } from './setting.js';
import { settingNames, settings } from './settings.js';

const root = fileURLToPath(new URL('../../../', import.meta.url));

function defaultOf(setting: Setting): string | null {
  if (!(setting.schema instanceof z.ZodDefault)) return null;
  return String(setting.schema.def.defaultValue);
}

function needOf(setting: Setting): string {
  const preset = defaultOf(setting);
  if (preset !== null) return `\`${preset}\``;
  return setting.schema instanceof z.ZodOptional ? 'optional' : '**required**';
}

function configurationPage(): string {
  const rows = settingNames.map((name) => {
    const setting: Setting = settings[name];
    const file = setting.secret ? ` Or \`${name}_FILE\`: a file that holds it.` : '';
    return `| \`${name}\` | ${needOf(setting)} | ${setting.programs.join(', ')} | ${setting.description}${file} |`;
  });
  return `# Configuration

\`npm run generate\` makes this page from \`packages/config/src/settings.ts\`. A program reads its settings from the
environment once, at its start. If some are wrong, it lists all of them and stops. \`npm start\` and \`docker compose up\` set
every required setting by themselves.

| setting | default | read by | meaning |
|---|---|---|---|
${rows.join('\n')}
`;
}

function exampleEnvironment(): string {
  const lines = settingNames.map((name) => {
    const setting: Setting = settings[name];
    const preset = setting.example ?? defaultOf(setting) ?? '';
    const given = setting.schema instanceof z.ZodDefault || setting.schema instanceof z.ZodOptional;
    return `# ${setting.description}\n${given ? '# ' : ''}${name}=${preset}\n`;
  });
  return `# Made from packages/config/src/settings.ts; do not edit.\n\n${lines.join('\n')}`;
}

const files = { 'docs/configuration.md': configurationPage(), '.env.example': exampleEnvironment() };
const check = process.argv.includes('--check');
for (const [path, text] of Object.entries(files)) {
  if (!check) writeFileSync(root + path, text);
  else if (readFileSync(root + path, 'utf8') !== text) {
    console.error(`${path} is stale: run npm run generate`);
    process.exitCode = 1;
  }
}
