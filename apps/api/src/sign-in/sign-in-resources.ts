import type { AttemptLimits } from '@kurir/queue';
import type { Mailer } from '../mail/mailer.js';
import type { SignIn } from './create-sign-in.js';
import type { SignInSecrets } from './sign-in-secret.js';

export type SignInResources = {
  /** Passwords, codes, passkeys and sessions. The first call makes it, because it needs the address of the server. */
  readonly signIn: () => SignIn;
  readonly signInSecrets: SignInSecrets;
  /** Call it before the first `signIn`. It looks for secrets of authenticators of an earlier version. */
  readonly prepareSignIn: () => Promise<void>;
  readonly attempts: AttemptLimits;
  readonly mailer: Mailer;
  /** Whether mails are kept and shown on a page instead of being sent. */
  readonly mailbox: boolean;
  /** Whether anybody may open an account. */
  readonly signUp: boolean;
  /** The number of messages that a new account may send before it pays. */
  readonly trialMessages: number;
};
