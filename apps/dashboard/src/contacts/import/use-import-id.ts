import { useState } from 'react';
import { useMe } from '../../session/me.js';
import { readImport, writeImport } from './import-store.js';

/** The import of this person in this account. Null: there is none. */
export function useImportId(): readonly [string | null, (importId: string | null) => void] {
  const { user, account } = useMe();
  const who = `${user.user_id} ${account.account_id}`;
  const [, setCount] = useState(0);
  const change = (importId: string | null) => {
    writeImport(who, importId);
    setCount((count) => count + 1);
  };
  return [readImport(who), change];
}
