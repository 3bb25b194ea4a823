/**
 * Sends notices: mails to the owners of accounts about events of the log. Each api process looks for work regularly, and
 * the rows in Postgres decide which process sends a mail. A mail is sent again if the process dies before it has noted
 * that the mail server has it. A mail server that fails delays one notice and holds up nothing else.
 */
import { claimNotice, collectNotices, type Database, endNotice, hasNoticeWork } from '@kurir/database';
import type { Logger } from '@kurir/logging';
import type { Mailer } from '../mail/mailer.js';
import { linkedMail } from './linked-mail.js';

const everyMs = 2_000;
/** A stop waits this long for a mail on its way. Another process sends it again if it was not noted. */
const stopMaxMs = 2_000;

export type Notices = {
  /** Begins. The public address must be known. */
  start(): void;
  stop(): Promise<void>;
};

type Options = {
  readonly database: Database;
  readonly mailer: Mailer;
  readonly logger: Logger;
  readonly publicUrl: () => string;
};

/** Sends the next notice. Returns false if none is due. */
async function sendNext({ database, mailer, logger, publicUrl }: Options): Promise<boolean> {
  const notice = await claimNotice(database);
  if (notice === null) return false;
  const { id, kind, accountId, deviceId, recipient, isLast } = notice;
  try {
    if (recipient !== null) await mailer.send(linkedMail(recipient, notice, publicUrl()));
  } catch (err) {
    const fields = { err, kind, accountId, deviceId };
    if (!isLast) logger.warn(fields, 'notice not sent, it will be sent again');
    else {
      logger.error(fields, 'notice given up after a day');
      await endNotice(database, id);
    }
    return true;
  }
  await endNotice(database, id);
  return true;
}

/** Reads the events, and sends what is due. */
async function work(options: Options, isStopped: () => boolean): Promise<void> {
  const { database, logger } = options;
  let hasMore = await hasNoticeWork(database);
  while (hasMore && !isStopped()) {
    const collected = await collectNotices(database);
    if (collected.tooOld > 0) logger.error({ count: collected.tooOld }, 'events are too old for notices');
    while (!isStopped() && (await sendNext(options)));
    ({ hasMore } = collected);
  }
}

export function createNotices(options: Options): Notices {
  let timer: NodeJS.Timeout | undefined;
  let isStopped = false;
  let running: Promise<void> = Promise.resolve();

  function run(): void {
    running = work(options, () => isStopped)
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
