/**
 * Some changes want a fresh two-factor code. Whoever makes one calls `callConfirmed`: when the gateway asks for a code,
 * the dialog opens, and the change goes out again once the code was taken.
 */
import type { DashboardData, DashboardOperation } from '@kurir/contracts/dashboard';
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

export async function callConfirmed<O extends DashboardOperation>(
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
