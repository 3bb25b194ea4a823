/**
 * Makes and sends notices: lines of the bell, and mails to members about events of the log. Each api process looks for work
 * regularly, and the rows in Postgres decide which process sends a mail. A mail is sent again if the process dies before it
 * has noted that the mail server has it. Mails go out in a loop of their own, so a slow mail server does not delay the bell.
 */
import {
  claimNotices,
  collectNotices,
  endNotices,
  hasDueNotices,
  hasNoticeEvents,
  noteLapsedDevices,
} from '@kurir/database';
import type { Logger } from '@kurir/logging';
import type { Mailer } from '../mail/mailer.js';
import { type MailSources, noticeMail } from './notice-mail.js';

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

type Options = MailSources & {
  /** Null: there is no mail server. Notices are in the bell only; mails of the last day go out once there is one. */
  readonly mailer: Mailer | null;
  readonly logger: Logger;
  /** Tells all api processes that the live pages have something new to show. */
  readonly signalLivePages: () => void;
};

/** Sends the next mail. Returns false if none is due. */
async function sendNext(options: Options, mailer: Mailer): Promise<boolean> {
  const { database, logger } = options;
  const claimed = await claimNotices(database);
  if (claimed === null) return false;
  const { kind, accountId, recipient, language, items, over } = claimed;
  const [first, ...others] = items;
  const ids = items.map(({ id }) => id);
  if (over.length > 0) await endNotices(database, over, 'not-sent');
  if (recipient === null || first === undefined) {
    await endNotices(database, ids, 'not-sent');
    return true;
  }
  try {
    const mail = await noticeMail(options, { ...claimed, items: [first, ...others] }, { email: recipient, language });
    if (mail === null) {
      await endNotices(database, ids, 'not-sent');
      return true;
    }
    await mailer.send(mail);
  } catch (err) {
    const last = items.filter(({ isLast }) => isLast).map(({ id }) => id);
    const fields = { err, kind, accountId, subject: first.subject };
    if (last.length < ids.length)
      logger.warn({ ...fields, count: ids.length - last.length }, 'notice not sent, it will be sent again');
    if (last.length > 0) {
      logger.error({ ...fields, count: last.length }, 'notice given up after a day');
      await endNotices(database, last, 'not-sent');
    }
    return true;
  }
  await endNotices(database, ids, 'sent');
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

/** Runs `work` again and again until `stop`, which resolves when the last run has ended. A failure only ends its run. */
function createLoop(work: (isStopped: () => boolean) => Promise<void>, onError: (err: unknown) => void) {
  let timer: NodeJS.Timeout | undefined;
  let isStopped = false;
  let running: Promise<void> = Promise.resolve();

  function run(): void {
    running = work(() => isStopped)
      .catch(onError)
      .then(() => {
        if (!isStopped) timer = setTimeout(run, everyMs);
      });
  }

  return {
    start: run,
    async stop(): Promise<void> {
      isStopped = true;
      clearTimeout(timer);
      await running;
    },
  };
}

export function createNotices(options: Options): Notices {
  const { database, logger } = options;
  let lapsedAt = Number.NEGATIVE_INFINITY;

  const collecting = createLoop(
    async (isStopped) => {
      if (performance.now() - lapsedAt >= lapsedEveryMs) {
        await noteLapsedDevices(database);
        lapsedAt = performance.now();
      }
      await collect(options, isStopped);
    },
    (err) => logger.warn({ err }, 'notices not read'),
  );
  const sending = createLoop(
    (isStopped) => send(options, isStopped),
    (err) => logger.warn({ err }, 'notices not mailed'),
  );

  return {
    start() {
      collecting.start();
      sending.start();
    },
    async stop() {
      let waiting: NodeJS.Timeout | undefined;
      const tooLong = new Promise<void>((resolve) => {
        waiting = setTimeout(resolve, stopMaxMs);
      });
      await Promise.race([Promise.all([collecting.stop(), sending.stop()]), tooLong]);
      clearTimeout(waiting);
    },
  };
}
