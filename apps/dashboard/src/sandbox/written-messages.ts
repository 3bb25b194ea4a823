/** What was written from the pretend phones in this tab: the network hands it to the device and keeps nothing of it. */
import type { DashboardData } from '@kurir/contracts/dashboard';
import { type QueryClient, useQuery } from '@tanstack/react-query';

export type PhoneMessage = DashboardData<'readPhone'>['messages'][number];

const writtenKey = (number: string) => ['written', number];

export function rememberWritten(client: QueryClient, number: string, message: PhoneMessage): void {
  client.setQueryData<PhoneMessage[]>(writtenKey(number), (before = []) => [...before, message]);
}

export const useWritten = (number: string): PhoneMessage[] =>
  useQuery<PhoneMessage[]>({
    queryKey: writtenKey(number),
    enabled: false,
    initialData: [],
    staleTime: Infinity,
    gcTime: Infinity,
  }).data;

/** Both sides of a conversation in the order in which they were said. */
export const inOrder = (received: readonly PhoneMessage[], written: readonly PhoneMessage[]): PhoneMessage[] =>
  [...received, ...written].sort((a, b) => Date.parse(a.at) - Date.parse(b.at));
