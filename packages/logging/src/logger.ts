/**
 * Logs: object first, a short constant message, the error under `err`. What may be logged are ids, states, codes,
 * counts and durations; message texts, phone numbers and secrets have no name here and are never passed. The
 * redaction is the net below that rule, not the rule.
 */
import pino, { type Logger } from 'pino';

export type { Logger } from 'pino';

const sensitive = [
  'text',
  'body',
  'recipient',
  'phone',
  'phoneNumber',
  'phone_destination',
  'secret',
  'signature',
  'authorization',
];

/** The database driver hangs the offending row's values on an error's `detail` and `where`: they stay out. */
function errorFields(error: unknown): object {
  // What is thrown and no Error may be anything, a message's text too: only its kind is told.
  if (!(error instanceof Error)) return { type: typeof error };
  const fields = pino.stdSerializers.err(error);
  const code = 'code' in error && typeof error.code === 'string' ? { code: error.code } : {};
  const cause = error.cause instanceof Error ? { cause: errorFields(error.cause) } : {};
  return { type: fields.type, message: fields.message, stack: fields.stack, ...code, ...cause };
}

/** pino's number for it. */
const warning = 40;

export type LoggerOptions = {
  readonly name: string;
  readonly level: string;
  readonly pretty: boolean;
  /** Where lines go instead of standard output; for tests. */
  readonly destination?: { write(line: string): void };
};

/**
 * Standard output in few writes: lines wait for each other, 100 ms at most, and for nobody when one of them is a warning
 * or worse. A process that ends writes what is left; one that is killed may lose its last lines below that.
 */
function gatherLines(): { readonly output: pino.DestinationStream; readonly logMethod: LogMethod } {
  const output = pino.destination({ fd: 1, sync: false, minLength: 4_096, periodicFlush: 100 });
  return {
    output,
    logMethod(args, method, level) {
      method.apply(this, args);
      if (level >= warning) output.flush();
    },
  };
}

type LogMethod = NonNullable<NonNullable<pino.LoggerOptions['hooks']>['logMethod']>;

export function createLogger(options: LoggerOptions): Logger {
  const settings = {
    name: options.name,
    level: options.level,
    base: { name: options.name },
    serializers: { err: errorFields },
    redact: { paths: [...sensitive, ...sensitive.map((field) => `*.${field}`)], censor: '[redacted]' },
    timestamp: pino.stdTimeFunctions.isoTime,
    ...(options.pretty ? { transport: { target: 'pino-pretty', options: { ignore: 'pid,hostname' } } } : {}),
  };
  if (options.destination !== undefined) return pino(settings, options.destination);
  if (options.pretty) return pino(settings);
  const { output, logMethod } = gatherLines();
  return pino({ ...settings, hooks: { logMethod } }, output);
}
