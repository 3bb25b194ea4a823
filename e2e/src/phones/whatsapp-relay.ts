/**
 * Starts the relay, which speaks WhatsApp's protocol with pretend phones, as a process. Tests use its HTTP interface.
 */
import { type RunningProgram, startProgram } from '@kurir/testing';

export type ReceivedMessage = {
  readonly id: string;
  readonly from: string;
  readonly text: string;
  /** How many times the phone decrypted the message. A person sees it once. */
  readonly copies: number;
};

export type RelayProgram = {
  /** The workers' settings for this relay. */
  readonly env: { readonly KURIR_WHATSAPP_URL: string; readonly KURIR_WHATSAPP_ROOT_KEY: string };
  /** Numbers that accept messages. Their clients decrypt like real ones. */
  readonly recipients: readonly string[];
  inbox(number: string): Promise<readonly ReceivedMessage[]>;
  typing(number: string): Promise<readonly { readonly from: string; readonly state: string }[]>;
  /** The receipts for what a recipient wrote. */
  receipts(number: string): Promise<readonly { readonly id: string; readonly type: string }[]>;
  /** Lets a recipient read the message. */
  read(number: string, id: string): Promise<unknown>;
  scan(number: string, code: string): Promise<unknown>;
  /** Types a pairing code into the phone. */
  pair(number: string, code: string): Promise<unknown>;
  /** Sets whether the phone links a device only with the account's passkey. */
  requirePasskey(number: string, required: boolean): Promise<unknown>;
  /** Retires the registration of the QR code that is shown. The worker shows another one. */
  refresh(code: string): Promise<unknown>;
  /** Forbids the number to write to strangers until this time. The relay does not announce it, but refuses with 463. */
  restrict(number: string, until: Date | null): Promise<unknown>;
  /** Lets a recipient write to a number. Resolves with the id of the message. */
  send(number: string, to: string, text: string): Promise<string>;
  /** The devices that a phone has linked. */
  devices(number: string): Promise<readonly unknown[]>;
  /** Kills the relay, like a crash. */
  stop(): Promise<unknown>;
};

type Greeting = { readonly url: string; readonly rootPublicKey: string; readonly recipients: readonly string[] };

const startMs = 60_000;

export type RelayProgramOptions = {
  /** Defaults to a free port. */
  readonly port?: number;
  /** The file in which the relay keeps its phones over a restart. Without it the relay forgets them. */
  readonly stateFile?: string;
};

export async function startRelay({ port = 0, stateFile }: RelayProgramOptions = {}): Promise<RelayProgram> {
  const program: RunningProgram = await startProgram({
    path: 'packages/whatsapp-relay/dist/main.js',
    args: ['--port', String(port), ...(stateFile === undefined ? [] : ['--state', stateFile])],
  });
  // The relay's own tests check this shape and those below.
  const greeting = JSON.parse(await program.waitForLine(/^\{"url"/, startMs)) as Greeting;
  const base = `http://${new URL(greeting.url).host}`;

  async function ask<T>(path: string, body?: object): Promise<T> {
    const init = body === undefined ? {} : { method: 'POST', body: JSON.stringify(body) };
    const answer = await fetch(`${base}${path}`, init);
    if (!answer.ok) throw new Error(`${path}: ${answer.status} ${await answer.text()}`);
    return (await answer.json()) as T;
  }

  return {
    env: { KURIR_WHATSAPP_URL: greeting.url, KURIR_WHATSAPP_ROOT_KEY: greeting.rootPublicKey },
    recipients: greeting.recipients,
    inbox: async (number) => (await ask<{ messages: ReceivedMessage[] }>(`/phones/${number}/inbox`)).messages,
    typing: async (number) =>
      (await ask<{ signals: { from: string; state: string }[] }>(`/phones/${number}/typing`)).signals,
    receipts: async (number) =>
      (await ask<{ receipts: { id: string; type: string }[] }>(`/phones/${number}/receipts`)).receipts,
    read: (number, id) => ask(`/phones/${number}/read`, { id }),
    scan: (number, code) => ask(`/phones/${number}/scan`, { code }),
    pair: (number, code) => ask(`/phones/${number}/pair`, { code }),
    requirePasskey: (number, required) => ask(`/phones/${number}/passkey`, { required }),
    refresh: (code) => ask('/refresh', { code }),
    restrict: (number, until) => ask(`/phones/${number}/timelock`, { until, told: false }),
    send: async (number, to, text) => (await ask<{ id: string }>(`/phones/${number}/send`, { to, text })).id,
    devices: (number) => ask(`/phones/${number}`),
    stop: () => program.kill(),
  };
}
