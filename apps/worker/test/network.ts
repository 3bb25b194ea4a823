/** The HTTP interface of the simulated network: phones, faults and the journal. */
import assert from 'node:assert/strict';
import { waitUntil } from '@kurir/testing';

export type InboxEntry = {
  readonly network_message_id: string;
  readonly from: string;
  readonly text: string;
  readonly received_at: string;
  /** How many repeats of the message the network dropped. */
  readonly copies: number;
};

export type JournalEntry = {
  readonly n: number;
  readonly kind: string;
  readonly by?: string;
  readonly text?: string;
  readonly epoch?: string;
  readonly fault?: string;
};

let numbers = 0;

/** Returns the number of a phone that nobody else in this process uses. */
export function newPhoneNumber(): string {
  numbers++;
  return `62812${String(process.pid % 1_000).padStart(3, '0')}${String(numbers).padStart(4, '0')}1`;
}

export const numberNotOnNetwork = '6281200010000';

/** Returns `text 0`, `text 1`, …. An inbox then shows missing, repeated and reordered texts. */
export function numberedTexts(count: number, word = 'text'): string[] {
  return Array.from({ length: count }, (_, i) => `${word} ${i}`);
}

export class Network {
  readonly #url: string;

  constructor(url: string) {
    this.#url = url;
  }

  async ask<T>(path: string, body?: object, method = body === undefined ? 'GET' : 'POST'): Promise<T> {
    const answer = await fetch(`${this.#url}${path}`, {
      method,
      ...(body === undefined ? {} : { headers: { 'content-type': 'application/json' }, body: JSON.stringify(body) }),
    });
    if (!answer.ok) throw new Error(`${path}: ${answer.status} ${await answer.text()}`);
    // The simulator's own tests check the shape of its answers.
    return (await answer.json()) as T;
  }

  inbox(phone: string): Promise<InboxEntry[]> {
    return this.ask(`/phones/${phone}/inbox`);
  }

  async texts(phone: string): Promise<string[]> {
    return (await this.inbox(phone)).map((entry) => entry.text);
  }

  /** Waits for so many texts, and then expects exactly these, in this order. */
  async expectTexts(phone: string, texts: readonly string[], timeoutMs = 60_000): Promise<void> {
    await this.untilTexts(phone, texts.length, timeoutMs);
    assert.deepEqual(await this.texts(phone), texts);
  }

  async untilTexts(phone: string, count: number, timeoutMs = 60_000): Promise<void> {
    await waitUntil(async () => (await this.inbox(phone)).length >= count, {
      what: `${count} texts at the phone`,
      timeoutMs,
    });
  }

  async typing(phone: string): Promise<{ from: string; action: string }[]> {
    return (await this.ask<{ signals: { from: string; action: string }[] }>(`/phones/${phone}/typing`)).signals;
  }

  /** Makes the network misbehave. See packages/network-simulator/PROTOCOL.md. */
  fault(fault: { readonly kind: string; readonly [field: string]: unknown }): Promise<unknown> {
    return this.ask('/faults', fault);
  }

  /** Waits until an injected fault took effect. For example, `sending` does not show that a swallowed message was written. */
  async untilFault(deviceId: string, fault: string): Promise<void> {
    const happened = async () =>
      (await this.journal(deviceId)).some((entry) => entry.kind === 'fault' && entry.fault === fault);
    await waitUntil(happened, { what: `${fault} took effect`, timeoutMs: 60_000 });
  }

  async journal(deviceId: string): Promise<JournalEntry[]> {
    return (await this.ask<{ entries: JournalEntry[] }>(`/journal?device_id=${deviceId}`)).entries;
  }

  async isOnline(deviceId: string): Promise<boolean> {
    const phones = await this.ask<{ devices: { device_id: string; online: boolean }[] }[]>('/phones');
    return phones.some(({ devices }) => devices.some((device) => device.device_id === deviceId && device.online));
  }
}
