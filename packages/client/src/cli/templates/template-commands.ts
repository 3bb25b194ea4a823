import type { Command } from 'commander';
import type { Answer, Template } from '../../contract/call-types.js';
import { KurirUsageError } from '../../calls/errors.js';
import type { Begin, Cli } from '../terminal/cli.js';
import { exitCodes } from '../terminal/exit-codes.js';
import { fieldLines, harmless, tableLines } from '../terminal/layout.js';
import { localTime } from '../terminal/moments.js';
import { parseNumber } from '../terminal/parse-time.js';
import { readBytes, readText } from '../terminal/read-text.js';

const templateArgument = ['<template>', 'the id of the template, tpl_…'] as const;

/** Commander turns `--no-footer` into false. */
type TextFlags = { text?: string; file?: string; footer?: string | false };

export function addTemplateCommands(program: Command, begin: Begin): void {
  const templates = program.command('templates').description('Show, create, change or preview templates.');
  addLookCommands(templates, begin);
  addChangeCommands(templates, begin);
  addPreviewCommand(templates, begin);
}

const addTextOptions = (command: Command): Command =>
  command
    .option('--text <text>', 'the text, such as "Halo {{nama|Kak}}"')
    .option('--file <file>', 'read the text from a file; - reads standard input')
    .option('--footer <line>', 'a line after the text, such as "Balas STOP untuk berhenti"');

/** Undefined: neither flag is given. The line end at the end of a file is not part of the text. */
async function textOf({ surroundings }: Cli, { text, file }: TextFlags): Promise<string | undefined> {
  if (text !== undefined && file !== undefined) throw new KurirUsageError('Give --text or --file, not both.');
  if (file === undefined) return text;
  const read = file === '-' ? await readText(surroundings.stdin) : String(await readBytes(surroundings.folder, file));
  return read.replace(/\r?\n$/, '');
}

const lines = (text: string): string[] => text.split('\n').map(harmless);

function templateLines(template: Template, { paint }: Cli): string[] {
  const variables = template.variables.map(({ name, required }) => (required ? name : `${name} (has a fallback)`));
  const fields = fieldLines(
    [
      ['template', template.templateId],
      ['name', template.name],
      ['version', String(template.version)],
      ['changed', localTime(template.updatedAt)],
      ['archived', template.archivedAt === null ? null : localTime(template.archivedAt)],
      ['variables', variables.length === 0 ? 'none' : variables.join(', ')],
    ],
    paint.dim,
  );
  const footer = template.footer === null ? [] : ['', ...lines(template.footer)];
  return [...fields, '', ...lines(template.text), ...footer];
}

function addLookCommands(templates: Command, begin: Begin): void {
  templates
    .command('list', { isDefault: true })
    .description('List the templates of the account, newest first.')
    .option('--cursor <cursor>', 'continue an earlier list')
    .action(async (query: { cursor?: string }, own: Command) => {
      const cli = begin(own);
      const page = await cli.client.listTemplates(query);
      const rows = page.templates.map(({ templateId, name, version }) => [templateId, `v${version}`, name]);
      cli.print(page, () => [
        ...(rows.length === 0 ? ['No templates.'] : tableLines(rows, (cell) => cell)),
        ...(page.nextCursor === null ? [] : [cli.paint.dim(`More: --cursor ${page.nextCursor}`)]),
      ]);
    });
  templates
    .command('show')
    .argument(...templateArgument)
    .description('Show a template with its latest version and its variables.')
    .action(async (id: string, _flags: object, own: Command) => {
      const cli = begin(own);
      const template = await cli.client.getTemplate(id);
      cli.print(template, () => templateLines(template, cli));
    });
}

function addChangeCommands(templates: Command, begin: Begin): void {
  const create = templates.command('create').argument('<name>', 'the name').description('Create a template.');
  addTextOptions(create).action(async (name: string, flags: TextFlags, own: Command) => {
    const cli = begin(own);
    const text = await textOf(cli, flags);
    if (text === undefined) throw new KurirUsageError('Give the text with --text or --file.');
    const made = await cli.client.createTemplate({ name, text, footer: flags.footer || null });
    cli.print(made, () => templateLines(made, cli));
  });
  const edit = templates
    .command('edit')
    .argument(...templateArgument)
    .description('Add a version with another text or footer. It fails if somebody changes the template meanwhile.');
  addTextOptions(edit)
    .option('--no-footer', 'without a footer')
    .action(async (id: string, flags: TextFlags, own: Command) => {
      const cli = begin(own);
      const text = await textOf(cli, flags);
      if (text === undefined && flags.footer === undefined)
        throw new KurirUsageError('Give --text, --file, --footer or --no-footer.');
      const before = await cli.client.getTemplate(id);
      const changed = await cli.client.createTemplateVersion(id, {
        text: text ?? before.text,
        footer: flags.footer === undefined ? before.footer : flags.footer || null,
        baseVersion: before.version,
      });
      cli.print(changed, () => templateLines(changed, cli));
    });
}

type PreviewFlags = TextFlags & { to: string[]; value: Record<string, string> };

const collect = (number: string, before: string[] = []): string[] => [...before, parseNumber(number)];

function collectValue(pair: string, before: Record<string, string> = {}): Record<string, string> {
  const [name, ...value] = pair.split('=');
  if (!name || value.length === 0) throw new KurirUsageError('Write a value as name=value.');
  return { ...before, [name]: value.join('=') };
}

const problems = {
  missing: 'no value and no fallback for',
  too_long: 'too long for a message',
  empty: 'empty',
  not_storable: 'not a text',
} as const;

function previewLines({ rows, advice }: Answer<'previewTemplate'>, { paint }: Cli): string[] {
  const shown = rows.flatMap(({ phone, text, problem, missing, codePoints }) =>
    text === null
      ? [`${phone}  ${paint.red(`${problems[problem ?? 'empty']} ${missing.map(harmless).join(', ')}`.trim())}`]
      : [`${phone}  ${paint.dim(`${codePoints} characters`)}`, ...lines(text)],
  );
  return advice === null ? shown : [...shown, paint.yellow(advice)];
}

function addPreviewCommand(templates: Command, begin: Begin): void {
  const preview = templates
    .command('preview')
    .argument('[template]', 'the id of a template; without it, give --text or --file')
    .description('Show what recipients would get. The exit code is 1 if somebody would get nothing.');
  addTextOptions(preview)
    .option('--to <number>', 'a recipient; may be repeated', collect)
    .option('--value <name=value>', 'a value of the recipients; may be repeated', collectValue)
    .action(async (id: string | undefined, flags: Partial<PreviewFlags>, own: Command) => {
      const cli = begin(own);
      const text = await textOf(cli, flags);
      if ((id === undefined) === (text === undefined))
        throw new KurirUsageError('Give the id of a template, or --text or --file.');
      const stored = id === undefined ? null : await cli.client.getTemplate(id);
      const rows = (flags.to ?? ['6281234567890']).map((phone) => ({ phone, values: flags.value }));
      const footer = flags.footer || (stored?.footer ?? null);
      const answer = await cli.client.previewTemplate({ text: text ?? stored?.text ?? '', footer, rows });
      if (answer.rows.some((row) => row.text === null)) cli.exitWith(exitCodes.refused);
      cli.print(answer, () => previewLines(answer, cli));
    });
}
