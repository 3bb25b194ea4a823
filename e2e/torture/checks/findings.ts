/** Everything that must never happen. The table and `--json` use these names. */
export const mustBeZero = [
  'lost',
  'shown_twice',
  'out_of_order_in_a_lane',
  'sent_after_expiry_or_cancellation',
  'two_live_sockets_of_one_device',
  'quota_that_does_not_add_up',
  'states_that_contradict_the_network',
  'new_contacts_beyond_the_limit',
  'claims_faster_than_the_pace',
  'events_missing_from_the_feed',
  'deliveries_missing',
  'different_bodies_under_one_id',
  'deliveries_out_of_order',
  'inbound_lost',
  'inbound_twice',
] as const;

export type FindingName = (typeof mustBeZero)[number];

export type Finding = { readonly name: FindingName; readonly what: string };

export const finding = (name: FindingName, what: string): Finding => ({ name, what });
