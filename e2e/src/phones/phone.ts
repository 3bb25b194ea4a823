/** A phone of the simulated network, as its HTTP interface shows it. */

export type SimulatedNetwork = { readonly simulatorUrl: string };

export type InboxEntry = {
  network_message_id: string;
  from: string;
  text: string;
  received_at: string;
  /** How many repeats of this message the network dropped. */
  copies: number;
};

let lastPhone = 0;

/** Returns a number that the network knows and that no other test of this process uses. */
export function newPhoneNumber(): string {
  lastPhone++;
  return `62812${String(process.pid % 1000).padStart(3, '0')}${String(lastPhone).padStart(3, '0')}1`;
}

async function askSimulator<T>(network: SimulatedNetwork, path: string, init?: RequestInit): Promise<T> {
  const answer = await fetch(`${network.simulatorUrl}${path}`, init);
  if (!answer.ok) throw new Error(`${path}: ${answer.status} ${await answer.text()}`);
  // The simulator's own tests check this shape.
  return (await answer.json()) as T;
}

export function readInbox(network: SimulatedNetwork, phone: string): Promise<InboxEntry[]> {
  return askSimulator(network, `/phones/${phone}/inbox`);
}

export function readTyping(network: SimulatedNetwork, phone: string): Promise<unknown> {
  return askSimulator(network, `/phones/${phone}/typing`);
}

/** The phone writes to the number of a linked device. */
export function writeFrom(network: SimulatedNetwork, phone: string, to: string, text: string): Promise<unknown> {
  return askSimulator(network, `/phones/${phone}/messages`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ to, text }),
  });
}

/** Makes the network misbehave; see packages/network-simulator/PROTOCOL.md. */
export function injectFault(network: SimulatedNetwork, fault: object): Promise<unknown> {
  return askSimulator(network, '/faults', {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(fault),
  });
}
