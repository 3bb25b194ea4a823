import { type Finding, type FindingName, mustBeZero } from '../checks/findings.js';

const shownOfEach = 5;

export const words = (name: string) => name.replaceAll('_', ' ');

export function countFindings(findings: readonly Finding[]): Record<FindingName, number> {
  const count = (name: FindingName) => findings.filter((found) => found.name === name).length;
  return {
    lost: count('lost'),
    shown_twice: count('shown_twice'),
    out_of_order_in_a_lane: count('out_of_order_in_a_lane'),
    sent_after_expiry_or_cancellation: count('sent_after_expiry_or_cancellation'),
    two_live_sockets_of_one_device: count('two_live_sockets_of_one_device'),
    quota_that_does_not_add_up: count('quota_that_does_not_add_up'),
    states_that_contradict_the_network: count('states_that_contradict_the_network'),
    new_contacts_beyond_the_limit: count('new_contacts_beyond_the_limit'),
    claims_faster_than_the_pace: count('claims_faster_than_the_pace'),
    events_missing_from_the_feed: count('events_missing_from_the_feed'),
    deliveries_missing: count('deliveries_missing'),
    different_bodies_under_one_id: count('different_bodies_under_one_id'),
    deliveries_out_of_order: count('deliveries_out_of_order'),
    inbound_lost: count('inbound_lost'),
    inbound_twice: count('inbound_twice'),
  };
}

/** The first findings of each name. */
export function describeFindings(findings: readonly Finding[]): string[] {
  return mustBeZero.flatMap((name) =>
    findings
      .filter((found) => found.name === name)
      .slice(0, shownOfEach)
      .map(({ what }) => `${words(name)}: ${what}`),
  );
}

export const isClean = (counts: Readonly<Record<FindingName, number>>) =>
  mustBeZero.every((name) => counts[name] === 0);
