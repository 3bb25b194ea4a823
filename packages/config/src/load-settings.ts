/** The only reader of process.env. It reads once, at the start, and reports all problems together. */
import { readFileSync } from 'node:fs';
import { type RedisSettings, redisProblems } from './redis-settings.js';
import type { Program, Setting } from './setting.js';
import { type SettingName, type SettingsOf, settingNames, settings } from './settings.js';

type Environment = Readonly<Record<string, string | undefined>>;

/** The problems of the settings, one sentence each, in the order of the table. It contains no value of a setting. */
export class InvalidSettings extends Error {
  override readonly name = 'InvalidSettings';
  readonly problems: readonly string[];

  constructor(problems: readonly string[]) {
    super(`The settings are not right:\n${problems.map((problem) => `  - ${problem}`).join('\n')}`);
    this.problems = problems;
  }
}

type Read = { readonly value: unknown } | { readonly problem: string };

/** A secret may stand in a file, so that no process has it in its environment. An empty value counts as missing. */
function readRaw(name: SettingName, setting: Setting, environment: Environment): string | undefined {
  const path = setting.secret ? environment[`${name}_FILE`] : undefined;
  const raw = path === undefined || path === '' ? environment[name] : readFileSync(path, 'utf8').trim();
  return raw === '' ? undefined : raw;
}

function readSetting(name: SettingName, setting: Setting, environment: Environment): Read {
  let raw: string | undefined;
  try {
    raw = readRaw(name, setting, environment);
  } catch {
    return { problem: `${name}_FILE names a file that cannot be read.` };
  }
  const result = setting.schema.safeParse(raw);
  if (result.success) return { value: result.data };
  if (raw === undefined) return { problem: `${name} is missing. ${setting.description}` };
  return { problem: `${name} ${result.error.issues[0]?.message ?? 'is invalid'}.` };
}

/** Returns the settings of one program. Throws `InvalidSettings` with all problems. */
export function loadSettings<P extends Program>(program: P, environment: Environment = process.env): SettingsOf<P> {
  const values: Partial<Record<SettingName, unknown>> = {};
  const problems: string[] = [];
  for (const name of settingNames) {
    const setting: Setting = settings[name];
    if (!setting.programs.includes(program)) continue;
    const read = readSetting(name, setting, environment);
    if ('problem' in read) problems.push(read.problem);
    else values[name] = read.value;
  }
  // Contradictions are looked for only between values that can be read.
  if (problems.length === 0 && 'REDIS_URL' in values) problems.push(...redisProblems(values as RedisSettings));
  if (problems.length > 0) throw new InvalidSettings(problems);
  // The values come from the same table as the type.
  return values as SettingsOf<P>;
}
