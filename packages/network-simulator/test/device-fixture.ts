/** A device for the simulator's own tests: linked over HTTP, with everything that its sessions report. */
import { randomUUID } from 'node:crypto';
import type { Driver, InboundReport, Receipt, Session, SessionEnd } from '@kurir/network';
import { MemoryCredentials, waitUntil } from '@kurir/network/conformance';
import { askFor } from './ask.js';

export type Device = {
  readonly deviceId: string;
  readonly number: string;
  readonly credentials: MemoryCredentials;
};

export type Online = {
  readonly session: Session;
  readonly acknowledged: string[];
  readonly receipts: Receipt[];
  readonly inbound: InboundReport[];
  readonly ends: SessionEnd[];
};

export async function linkDevice(driver: Driver, url: string, number: string): Promise<Device> {
  const deviceId = `dev_${randomUUID().replaceAll('-', '')}`;
  const credentials = new MemoryCredentials();
  const codes: string[] = [];
  const attempt = driver.link({
    deviceId,
    epoch: 1n,
    credentials,
    method: 'qr',
    code: (code) => void codes.push(code),
  });
  await waitUntil('a code is shown', () => codes.length > 0);
  await askFor(url, 'POST', `/phones/${number}/scan`, { code: codes[0] });
  const end = await attempt.end;
  if (end.kind !== 'linked') throw new Error(`linking ended as ${end.kind}`);
  return { deviceId, number, credentials };
}

/** Starts a session. Resolves when it is connected or has ended. `handleReceipt` is the handler of its receipts. */
export async function connectDevice(
  driver: Driver,
  { deviceId, credentials }: Device,
  {
    epoch = 1n,
    handleReceipt = async () => undefined,
  }: { epoch?: bigint | undefined; handleReceipt?: (() => Promise<unknown>) | undefined } = {},
): Promise<Online> {
  const reported = { acknowledged: [], receipts: [], inbound: [], ends: [] };
  const recorded: Omit<Online, 'session'> = reported;
  let connected = false;
  const session = driver.connect({
    deviceId,
    epoch,
    credentials,
    events: {
      connected: () => {
        connected = true;
      },
      acknowledged: async ({ networkMessageId }) => void recorded.acknowledged.push(networkMessageId),
      receipt: (receipt) => {
        recorded.receipts.push(receipt);
        return handleReceipt();
      },
      inbound: async (report) => void recorded.inbound.push(report),
      ended: (end) => void recorded.ends.push(end),
    },
  });
  await waitUntil('the session is connected or over', () => connected || recorded.ends.length > 0);
  return { session, ...recorded };
}
