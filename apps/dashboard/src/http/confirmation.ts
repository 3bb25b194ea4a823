/**
 * Some changes need a fresh two-factor code. If the gateway asks for one, `callConfirmed` opens the dialog and repeats
 * the call after the gateway has accepted the code. If the person declines, it throws the gateway's failure.
 */
import type { DashboardData, OperationNameForPeople } from '@kurir/contracts/dashboard';
import { useSyncExternalStore } from 'react';
import { call, type Given } from './call.js';
import { ApiFailure } from './api-failure.js';

type Asking = { confirmed: () => void; declined: () => void };

let asking: Asking | null = null;
const listeners = new Set<() => void>();

function set(next: Asking | null): void {
  asking = next;
  for (const listener of listeners) listener();
}

function askForCode(): Promise<boolean> {
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

/** Asks for a code, for a download that `callConfirmed` cannot make. Returns false if the person declines. */
export const ensureConfirmed = (): Promise<boolean> => askForCode();

export async function callConfirmed<O extends OperationNameForPeople>(
  operation: O,
  given: Given<O>,
): Promise<DashboardData<O>> {
  try {
    return await call(operation, given);
  } catch (failure) {
    const isAsked = failure instanceof ApiFailure && failure.code === 'CONFIRMATION_REQUIRED';
    if (!isAsked || !(await askForCode())) throw failure;
    return call(operation, given);
  }
}
