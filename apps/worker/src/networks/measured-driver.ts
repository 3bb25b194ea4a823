/** Counts and times what a driver does, for the metrics of its network. It changes nothing. */
import type { Network } from '@kurir/contracts';
import { metrics } from '@kurir/metrics';
import type { Driver, SendOutcome, Session, SessionEvents } from '@kurir/network';

function noteTry(network: Network, seconds: number, outcome: SendOutcome): void {
  metrics.trySeconds.observe({ network }, seconds);
  if (outcome.kind === 'sent') metrics.tries.add({ network, outcome: 'sent', reason: 'none' });
  else if (outcome.kind === 'unknown') metrics.tries.add({ network, outcome: 'unanswered', reason: outcome.reason });
  else
    metrics.tries.add({
      network,
      outcome: outcome.permanent ? 'refused' : 'refused_for_now',
      reason: outcome.reason,
    });
}

const measuredEvents = (network: Network, events: SessionEvents): SessionEvents => ({
  ...events,
  async inbound(report) {
    await events.inbound(report);
    metrics.inboundMessages.add({ network });
  },
  ended(end) {
    if (end.next !== 'none') metrics.sessionEnds.add({ network, reason: end.reason });
    events.ended(end);
  },
});

const measuredSession = (network: Network, session: Session): Session => ({
  typing: (recipient, action) => session.typing(recipient, action),
  logout: () => session.logout(),
  close: () => session.close(),
  ...(session.markRead === undefined ? {} : { markRead: session.markRead.bind(session) }),
  async send(message) {
    const startedAt = performance.now();
    const outcome = await session.send(message);
    noteTry(network, (performance.now() - startedAt) / 1_000, outcome);
    return outcome;
  },
});

export const measured = (network: Network, driver: Driver): Driver => ({
  ...driver,
  connect: (options) =>
    measuredSession(network, driver.connect({ ...options, events: measuredEvents(network, options.events) })),
});
