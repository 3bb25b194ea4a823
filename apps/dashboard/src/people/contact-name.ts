import { limits } from '@kurir/contracts/dashboard';
import { useQuery } from '@tanstack/react-query';
import { call } from '../http/call.js';
import { queryKey } from '../http/query.js';
import { createNameReader } from './name-reader.js';

const readName = createNameReader(async (phones) => {
  const { names } = await call('nameContacts', { body: { phones: [...phones] } });
  return new Map(names.map(({ phone, name }) => [phone, name]));
}, limits.contactNamesMax);

const freshMs = 300_000;

/** The name of the account's contact with this number. Null: it has none, or the name is not read yet. */
export function useContactName(phone: string | null): string | null {
  const { data } = useQuery({
    queryKey: [...queryKey('nameContacts'), phone],
    queryFn: () => readName(phone ?? ''),
    enabled: phone !== null && /^\d{1,15}$/.test(phone),
    staleTime: freshMs,
  });
  return data ?? null;
}
