/** Keeps the messages that this tab wrote from pretend phones, because the simulator does not keep them. */
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

/** Sorts the messages of both sides by time. */
export const inOrder = (received: readonly PhoneMessage[], written: readonly PhoneMessage[]): PhoneMessage[] =>
  [...received, ...written].sort((a, b) => Date.parse(a.at) - Date.parse(b.at));
