import { type EventType, eventTypeNames } from '@kurir/contracts/dashboard';

/** The types of events by the first part of their name, in the order of the contract. */
export function groupTypes(types: readonly EventType[] = eventTypeNames): [group: string, types: EventType[]][] {
  const groups = new Map<string, EventType[]>();
  for (const type of types) {
    const group = type.slice(0, type.indexOf('.'));
    groups.set(group, [...(groups.get(group) ?? []), type]);
  }
  return [...groups];
}
