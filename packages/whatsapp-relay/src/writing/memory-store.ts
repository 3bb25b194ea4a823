import { createStore, type WaAuthStore, type WaStore, type WaStoreBackend } from 'zapo-js/store';

type Login = Parameters<WaAuthStore['save']>[0];

/** A store that keeps everything in memory. zapo-js has no ready-made memory store for the login. */
export function memoryStore(): WaStore {
  let saved: Login | null = null;
  const auth = {
    load: async () => saved,
    save: async (login: Login) => {
      saved = login;
    },
    clear: async () => {
      saved = null;
    },
  };
  // The type demands a complete backend, but `providers` takes only `auth` from it.
  const backend = { stores: { auth: () => auth }, caches: {} } as unknown as WaStoreBackend;
  return createStore({ backends: { login: backend }, providers: { auth: 'login' } });
}
