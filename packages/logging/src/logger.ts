/**
 * Logs: object first, a short constant message, the error under `err`. Log only ids, states, codes, counts and
 * durations.
 * Never pass message texts, phone numbers or secrets. The redaction here is a safety net for that rule.
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

/** Returns the fields one level down. An error under `err` has its own serializer. */
const below = (name: string, value: unknown, levels: number): Fields | null =>
  // An object has text keys and values of any kind. The code needs no more.
  levels > 1 && name !== 'err' && typeof value === 'object' && value !== null ? (value as Fields) : null;

/** Whether the fields contain a sensitive name, here or one level down. They hardly ever do. */
const holdsSensitive = (fields: Fields, levels: number): boolean =>
  Object.keys(fields).some((name) => {
    if (sensitive.has(name)) return true;
    const inner = below(name, fields[name], levels);
    return inner !== null && holdsSensitive(inner, levels - 1);
  });

/** Copies only an object that contains something sensitive. Lists and dates stay what they are. */
const censored = (fields: Fields, levels: number): Fields =>
  Object.fromEntries(
    Object.entries(fields).map(([name, value]) => {
      if (sensitive.has(name)) return [name, censor];
      const inner = below(name, value, levels);
      return [name, inner !== null && holdsSensitive(inner, levels - 1) ? censored(inner, levels - 1) : value];
    }),
  );

/**
 * Removes the values that must not be logged. The redaction of pino copies every line, which costs more than to write
 * it.
 */
const redact = (fields: Fields): Fields => (holdsSensitive(fields, 2) ? censored(fields, 2) : fields);

/** pino formats the fields of a line, but not the fields of child loggers. */
function redactChildren(logger: Logger): Logger {
  const { child } = logger;
  // A child inherits from its parent, so it makes its own children in the same way.
  logger.child = function (this: Logger, bindings, options) {
    return child.call(this, redact(bindings), options);
  } as typeof child;
  return logger;
}

/** The database driver puts values of the row into `detail` and `where` of an error. So they are left out. */
function errorFields(error: unknown): object {
  // A thrown value that is no Error may be a message's text. So only its type is logged.
  if (!(error instanceof Error)) return { type: typeof error };
  const fields = pino.stdSerializers.err(error);
  const code = 'code' in error && typeof error.code === 'string' ? { code: error.code } : {};
  const cause = error.cause instanceof Error ? { cause: errorFields(error.cause) } : {};
  return { type: fields.type, message: fields.message, stack: fields.stack, ...code, ...cause };
}

/** pino's number of the level. */
const warning = 40;

/** The most bytes that wait for a reader of standard output, about ten seconds of lines at full load. */
const mostWaiting = 16 * 1024 * 1024;
const flushEveryMs = 100;

export type LoggerOptions = {
  readonly name: string;
  readonly level: string;
  readonly pretty: boolean;
  /** The target of the lines instead of standard output, for tests. */
  readonly destination?: { write(line: string): void };
};

/**
 * Writes many lines at once to standard output. A line waits for others at most `flushEveryMs`. A warning or worse is
 * written at once. A process that exits writes the rest. A killed process may lose its last lines below a warning.
 *
 * While nobody reads, lines beyond `mostWaiting` are dropped. `onDropped` gets their number when the rest is read.
 */
function gatherLines(onDropped: (lines: number) => void): {
  readonly output: pino.DestinationStream;
  readonly logMethod: LogMethod;
} {
  // As buffers. In text mode pino counts the bytes of all waiting lines with every line.
  const gathered = pino.destination({
    fd: 1,
    sync: false,
    minLength: 12_288,
    maxLength: mostWaiting,
    periodicFlush: flushEveryMs,
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
    // A flush during a write does nothing, and one write may not take everything.
    if (!isUrgent) return;
    isUrgent = false;
    gathered.flush();
  });
  const output = {
    // The types want a string in both modes.
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
