/** The simulated network as people and tests use it: phones, faults and the journal, over HTTP. */
import assert from 'node:assert/strict';
import { waitUntil } from '@kurir/testing';

export type InboxEntry = {
  readonly network_message_id: string;
  readonly from: string;
  readonly text: string;
  readonly received_at: string;
  /** Repeats of the same message that the network dropped. */
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

/** A number that nobody else in this process uses, and that has a phone. */
export function newPhoneNumber(): string {
  numbers++;
  return `62812${String(process.pid % 1_000).padStart(3, '0')}${String(numbers).padStart(4, '0')}1`;
}

export const numberNotOnNetwork = '6281200010000';

/** `text 0`, `text 1`, …: an inbox shows what is missing, doubled or out of order. */
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
    // The simulator's own tests hold it to its shapes.
    return (await answer.json()) as T;
  }

  inbox(phone: string): Promise<InboxEntry[]> {
    return this.ask(`/phones/${phone}/inbox`);
  }

  async texts(phone: string): Promise<string[]> {
    return (await this.inbox(phone)).map((entry) => entry.text);
  }

  /** Waits for as many texts; then they must be exactly these, in this order. */
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

  /** Makes the network misbehave, see packages/network-simulator/PROTOCOL.md. */
  fault(fault: { readonly kind: string; readonly [field: string]: unknown }): Promise<unknown> {
    return this.ask('/faults', fault);
  }

  /** An injected fault took effect: a swallowed message was written, for example, which `sending` does not say. */
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
