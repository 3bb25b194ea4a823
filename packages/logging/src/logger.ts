/**
 * Logs: object first, a short constant message, the error under `err`. What may be logged are ids, states, codes,
 * counts and durations; message texts, phone numbers and secrets have no name here and are never passed. The
 * redaction is the net below that rule, not the rule.
 */
import pino, { type Logger } from 'pino';

export type { Logger } from 'pino';

const sensitive: ReadonlySet<string> = new Set([
  'text',
  'body',
  'recipient',
  'phone',
  'phoneNumber',
  'phone_destination',
  'secret',
  'signature',
  'authorization',
]);
const censor = '[redacted]';

type Fields = Record<string, unknown>;

/** What stands one level down. Of an error under `err` its serializer says what is told. */
const below = (name: string, value: unknown, levels: number): Fields | null =>
  // An object has text keys and values of any kind; nothing more is asked of it.
  levels > 1 && name !== 'err' && typeof value === 'object' && value !== null ? (value as Fields) : null;

/** The names that are sensitive, of the fields and one level down; hardly ever any. */
const holdsSensitive = (fields: Fields, levels: number): boolean =>
  Object.keys(fields).some((name) => {
    if (sensitive.has(name)) return true;
    const inner = below(name, fields[name], levels);
    return inner !== null && holdsSensitive(inner, levels - 1);
  });

/** Only what holds something sensitive is made anew: a list stays a list, a date a date. */
const censored = (fields: Fields, levels: number): Fields =>
  Object.fromEntries(
    Object.entries(fields).map(([name, value]) => {
      if (sensitive.has(name)) return [name, censor];
      const inner = below(name, value, levels);
      return [name, inner !== null && holdsSensitive(inner, levels - 1) ? censored(inner, levels - 1) : value];
    }),
  );

/**
 * The fields without what must not be logged. pino's own redaction copies every line to find nothing in it, which
 * cost more than the line.
 */
const redact = (fields: Fields): Fields => (holdsSensitive(fields, 2) ? censored(fields, 2) : fields);

/** pino formats what a line carries, not what its child loggers do. */
function redactChildren(logger: Logger): Logger {
  const { child } = logger;
  // A child is made from its parent, so that it makes its own children in the same way.
  logger.child = function (this: Logger, bindings, options) {
    return child.call(this, redact(bindings), options);
  } as typeof child;
  return logger;
}

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

/** Bytes of lines that wait for a reader of standard output: at full load some ten seconds of them. */
const mostWaiting = 16 * 1024 * 1024;

export type LoggerOptions = {
  readonly name: string;
  readonly level: string;
  readonly pretty: boolean;
  /** Where lines go instead of standard output; for tests. */
  readonly destination?: { write(line: string): void };
};

/**
 * Standard output in few writes: lines wait for each other, 100 ms at most, and for nobody when one of them is a warning
 * or worse. A process that ends writes what is left; one that is killed may lose its last lines below that. While nobody
 * reads, what comes beyond `mostWaiting` is dropped, and counted for `onDropped` once the rest is read.
 */
function gatherLines(onDropped: (lines: number) => void): {
  readonly output: pino.DestinationStream;
  readonly logMethod: LogMethod;
} {
  // As bytes: of texts it counts, with every line, the bytes of all that wait.
  const gathered = pino.destination({
    fd: 1,
    sync: false,
    minLength: 12_288,
    maxLength: mostWaiting,
    periodicFlush: 100,
    contentMode: 'buffer',
  });
  let isUrgent = false;
  let dropped = 0;
  gathered.on('drop', () => dropped++);
  gathered.on('drain', () => {
    if (dropped > 0) {
      const lines = dropped;
      dropped = 0;
      onDropped(lines);
    }
    // A flush during a write does nothing, and one write takes no more than it can hold.
    if (!isUrgent) return;
    isUrgent = false;
    gathered.flush();
  });
  const output = {
    // Its types say text in either mode.
    write: (line: string) => void gathered.write(Buffer.from(line) as unknown as string),
    flush: gathered.flush.bind(gathered),
    flushSync: gathered.flushSync.bind(gathered),
  };
  return {
    output,
    logMethod(args, method, level) {
      method.apply(this, args);
      if (level < warning) return;
      isUrgent = true;
      gathered.flush();
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
    formatters: { log: redact },
    timestamp: pino.stdTimeFunctions.isoTime,
    ...(options.pretty ? { transport: { target: 'pino-pretty', options: { ignore: 'pid,hostname' } } } : {}),
  };
  if (options.destination !== undefined) return redactChildren(pino(settings, options.destination));
  if (options.pretty) return redactChildren(pino(settings));
  const { output, logMethod } = gatherLines((lines) => logger.error({ lines }, 'log lines dropped'));
  const logger = redactChildren(pino({ ...settings, hooks: { logMethod } }, output));
  return logger;
}
