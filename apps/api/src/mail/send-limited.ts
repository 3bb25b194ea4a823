import { ApiError } from '@kurir/contracts';
import type { Logger } from '@kurir/logging';
import type { AttemptLimits } from '@kurir/queue';
import { type LimitedMail, mayMail } from './mail-limit.js';
import type { Mail, Mailer } from './mailer.js';

type Resources = { readonly attempts: AttemptLimits; readonly mailer: Mailer; readonly logger: Logger };

/**
 * Sends a mail for which a person asked, to any address. If the address had too many of its kind, it sends nothing and says
 * nothing: the person must not learn of the others who asked. Throws 503 if the mail server does not take it.
 */
export async function sendLimited(
  { attempts, mailer, logger }: Resources,
  kind: LimitedMail,
  mail: Mail,
  again: string,
): Promise<void> {
  if (!(await mayMail(attempts, kind, mail.recipient)))
    return logger.warn({ kind }, 'mail withheld, the address had too many');
  return mailer.send(mail).catch((cause: unknown) => {
    throw new ApiError('SERVICE_UNAVAILABLE', `The mail could not be sent. ${again}`, { cause });
  });
}
