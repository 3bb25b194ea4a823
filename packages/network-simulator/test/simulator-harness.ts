/** The simulator for the conformance suite. Its phones are controlled over HTTP. */
import type {
  ConformanceFault,
  ConformanceLetter,
  ConformanceNetwork,
  DriverHarness,
  StartOptions,
} from '@kurir/network/conformance';
import { z } from 'zod';
import { createSimulatorDriver } from '../src/driver/simulator-driver.js';
import { startSimulator } from '../src/simulator.js';
import { askFor } from './ask.js';

const RECEIPT_DELAY_MS = 5;

const inbox = z.array(z.object({ network_message_id: z.string(), from: z.string(), text: z.string() }));
const written = z.object({ network_message_id: z.string() });
const typing = z.object({ signals: z.array(z.object({ from: z.string(), action: z.enum(['start', 'stop']) })) });
const readMarks = z.array(z.object({ network_message_id: z.string() }));
const phones = z.array(z.object({ number: z.string(), devices: z.array(z.object({ device_id: z.string() })) }));

export const simulatorHarness: DriverHarness = { start, hasLetters: true };

async function start({ ackTimeoutMs, codeLifetimeMs, codeRounds }: StartOptions): Promise<ConformanceNetwork> {
  const simulator = await startSimulator({ receiptDelayMs: RECEIPT_DELAY_MS, codeLifetimeMs, codeRounds });
  const { url } = simulator;
  let numbers = 0;
  let stopping: Promise<void> | null = null;
  const hidden = new Set<string>();
  const shownBy = (phone: string) => (hidden.has(phone) ? 'id' : 'number');
  const post = async (phone: string, body: object): Promise<string> =>
    written.parse(await askFor(url, 'POST', `/phones/${phone}/messages`, body)).network_message_id;
  return {
    name: 'simulator',
    driver: createSimulatorDriver({ url, ackTimeoutMs }),
    freshNumber: () => `62811${String((numbers += 1)).padStart(6, '0')}1`,
    numberNotOnNetwork: '628120000000',
    scan: async (phone, code) => void (await askFor(url, 'POST', `/phones/${phone}/scan`, { code })),
    enterPairingCode: async (phone, code) => void (await askFor(url, 'POST', `/phones/${phone}/pair`, { code })),
    inbox: async (phone) => inbox.parse(await askFor(url, 'GET', `/phones/${phone}/inbox`)).map(messageOf),
    typing: async (phone) => typing.parse(await askFor(url, 'GET', `/phones/${phone}/typing`)).signals,
    readMarks: async (phone) =>
      readMarks
        .parse(await askFor(url, 'GET', `/phones/${phone}/read-marks`))
        .map(({ network_message_id }) => network_message_id),
    linkedDevices: async (phone) => {
      const listed = phones.parse(await askFor(url, 'GET', '/phones'));
      return listed.filter(({ number }) => number === phone).flatMap(({ devices }) => devices.map((d) => d.device_id));
    },
    write: async (phone, to, text) => void (await post(phone, { to, text, shown_by: shownBy(phone) })),
    letters: {
      write: async (phone, to, letter) => {
        const ofPerson = { to, shown_by: shownBy(phone) };
        if (letter.kind !== 'unreadable') return post(phone, { ...ofPerson, ...letterJson(letter) });
        const id = await post(phone, { ...ofPerson, kind: 'undecryptable' });
        return post(phone, { ...ofPerson, text: letter.text, network_message_id: id });
      },
      writeElsewhere: (phone, to, text) => post(phone, { to, text, kind: 'sent-elsewhere' }),
      hideNumber: (phone) => void hidden.add(phone),
    },
    inject: async (deviceId, fault) => void (await askFor(url, 'POST', '/faults', faultJson(deviceId, fault))),
    stop: () => (stopping ??= simulator.close()),
  };
}

function messageOf({ network_message_id: networkMessageId, from, text }: z.infer<typeof inbox>[number]) {
  return { networkMessageId, from, text };
}

function letterJson(letter: Exclude<ConformanceLetter, { kind: 'unreadable' }>): object {
  const target = (written_by_us: boolean) => ({ network_message_id: 'of' in letter ? letter.of : '', written_by_us });
  switch (letter.kind) {
    case 'image':
      return { content: { type: 'image', text: letter.caption, media: { mimeType: 'image/jpeg' } } };
    case 'answer':
      return { text: letter.text, reply_to: { network_message_id: letter.of, text: letter.quote } };
    case 'edit':
      return { kind: 'edited', text: letter.text, target: target(false) };
    case 'deletion':
      return { kind: 'deleted', target: target(false) };
    case 'reaction':
      return { kind: 'reaction', target: target(true), ...(letter.emoji === null ? {} : { emoji: letter.emoji }) };
  }
}

function faultJson(device_id: string, fault: ConformanceFault): object {
  switch (fault.kind) {
    case 'reset-before-take':
      return { kind: 'reset_before_take', device_id };
    case 'reset-after-take':
      return { kind: 'reset_after_take', device_id };
    case 'late-acknowledgement':
      return { kind: 'ack_late', device_id, delay_ms: fault.delayMs };
    case 'refuse-for-good':
      return { kind: 'ack_negative', device_id, permanent: true };
    case 'refuse-for-now':
      return { kind: 'ack_negative', device_id, permanent: false, retry_after_ms: fault.retryAfterMs };
    case 'temporary-ban':
      return { kind: 'temporary_ban', device_id, until_ms: fault.until.getTime() };
    case 'logout':
    case 'ban':
    case 'restart':
      return { kind: fault.kind, device_id };
  }
}
