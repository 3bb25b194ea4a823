/**
 * Some changes need a fresh confirmation. If the gateway asks for one, `confirmed` opens the dialog. After a code, a
 * passkey or the password it repeats the request. If the person declines, it throws the gateway's failure.
 */
import type { DashboardData, OperationNameForPeople } from '@kurir/contracts/dashboard';
import { useSyncExternalStore } from 'react';
import { call, type Given } from './call.js';

type Asking = { confirmed: () => void; declined: () => void };

let asking: Asking | null = null;
const listeners = new Set<() => void>();

function set(next: Asking | null): void {
  asking = next;
  for (const listener of listeners) listener();
}

/** Asks for a code, a passkey or the password. Returns false if the person declines. */
export function askPerson(): Promise<boolean> {
  asking?.declined();
  return new Promise((resolve) => {
    const end = (confirmed: boolean) => () => {
      set(null);
      resolve(confirmed);
    };
    set({ confirmed: end(true), declined: end(false) });
  });
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

export const useAsking = (): Asking | null => useSyncExternalStore(subscribe, () => asking);

/** Whether the gateway asked for a confirmation. After `confirmed`, the person declined. */
export const isUnconfirmed = (failure: unknown): boolean =>
  failure instanceof Error && 'code' in failure && failure.code === 'CONFIRMATION_REQUIRED';

export async function confirmed<T>(request: () => Promise<T>): Promise<T> {
  try {
    return await request();
  } catch (failure) {
    if (!isUnconfirmed(failure) || !(await askPerson())) throw failure;
    return request();
  }
}

export const callConfirmed = <O extends OperationNameForPeople>(
  operation: O,
  given: Given<O>,
): Promise<DashboardData<O>> => confirmed(() => call(operation, given));
