/**
 * Makes and sends notices: lines of the bell, and mails to members about events of the log. Each api process looks for work
 * regularly, and the rows in Postgres decide which process sends a mail. A mail is sent again if the process dies before it
 * has noted that the mail server has it. A mail server that fails delays its own mails and holds up nothing else.
 */
import {
  claimNotices,
  collectNotices,
  type Database,
  endNotices,
  hasDueNotices,
  hasNoticeEvents,
  noteLapsedDevices,
} from '@kurir/database';
import type { Logger } from '@kurir/logging';
import { letterMail } from '../mail/letter.js';
import type { Mailer } from '../mail/mailer.js';
import { noticeLetter } from './notice-letter.js';

const everyMs = 2_000;
/** A device whose lease ran out is looked for so often. */
const lapsedEveryMs = 60_000;
/** A stop waits this long for a mail on its way. Another process sends it again if it was not noted. */
const stopMaxMs = 2_000;

export type Notices = {
  /** Begins. The public address must be known. */
  start(): void;
  stop(): Promise<void>;
};

type Options = {
  readonly database: Database;
  /** Null: there is no mail server. Notices are in the bell only; mails of the last day go out once there is one. */
  readonly mailer: Mailer | null;
  readonly logger: Logger;
  readonly publicUrl: () => string;
  /** Tells all api processes that the live pages have something new to show. */
  readonly signalLivePages: () => void;
};

/** Sends the next mail. Returns false if none is due. */
async function sendNext({ database, logger, publicUrl }: Options, mailer: Mailer): Promise<boolean> {
  const claimed = await claimNotices(database);
  if (claimed === null) return false;
  const { kind, accountId, recipient, isLast, over } = claimed;
  const [first, ...others] = claimed.items;
  const ids = claimed.items.map(({ id }) => id);
  if (recipient === null || first === undefined) {
    await endNotices(database, [...ids, ...over], 'not-sent');
    return true;
  }
  try {
    await mailer.send(letterMail(recipient, noticeLetter({ ...claimed, items: [first, ...others] }, publicUrl())));
  } catch (err) {
    const fields = { err, kind, accountId, subject: first.subject, count: ids.length };
    if (!isLast) logger.warn(fields, 'notice not sent, it will be sent again');
    else {
      logger.error(fields, 'notice given up after a day');
      await endNotices(database, ids, 'not-sent');
    }
    return true;
  }
  await endNotices(database, ids, 'sent');
  if (over.length > 0) await endNotices(database, over, 'not-sent');
  return true;
}

async function collect({ database, logger, signalLivePages }: Options, isStopped: () => boolean): Promise<void> {
  let hasMore = await hasNoticeEvents(database);
  while (hasMore && !isStopped()) {
    const collected = await collectNotices(database);
    if (collected.tooOld > 0) logger.error({ count: collected.tooOld }, 'events are too old for notices');
    signalLivePages();
    ({ hasMore } = collected);
  }
}

async function send(options: Options, isStopped: () => boolean): Promise<void> {
  const { mailer, database } = options;
  if (mailer === null || !(await hasDueNotices(database))) return;
  while (!isStopped() && (await sendNext(options, mailer)));
}

export function createNotices(options: Options): Notices {
  let timer: NodeJS.Timeout | undefined;
  let isStopped = false;
  let running: Promise<void> = Promise.resolve();

  let lapsedAt = Number.NEGATIVE_INFINITY;

  async function work(): Promise<void> {
    if (performance.now() - lapsedAt >= lapsedEveryMs) {
      await noteLapsedDevices(options.database);
      lapsedAt = performance.now();
    }
    await collect(options, () => isStopped);
    await send(options, () => isStopped);
  }

  function run(): void {
    running = work()
      .catch((err: unknown) => options.logger.warn({ err }, 'notices not read'))
      .then(() => {
        if (!isStopped) timer = setTimeout(run, everyMs);
      });
  }

  return {
    start: run,
    async stop() {
      isStopped = true;
      clearTimeout(timer);
      let waiting: NodeJS.Timeout | undefined;
      const tooLong = new Promise<void>((resolve) => {
        waiting = setTimeout(resolve, stopMaxMs);
      });
      await Promise.race([running, tooLong]);
      clearTimeout(waiting);
    },
  };
}
