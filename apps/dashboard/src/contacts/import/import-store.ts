/** The import that a person has begun, so that the page shows it again. It stays in the session storage of the browser. */

const prefix = 'kurir.import.';
/** Used if the browser forbids storage. */
const unstored = new Map<string, string>();

export function readImport(who: string): string | null {
  try {
    return unstored.get(who) ?? sessionStorage.getItem(prefix + who);
  } catch {
    return null;
  }
}

export function writeImport(who: string, importId: string | null): void {
  unstored.delete(who);
  try {
    if (importId === null) sessionStorage.removeItem(prefix + who);
    else sessionStorage.setItem(prefix + who, importId);
  } catch {
    if (importId !== null) unstored.set(who, importId);
  }
}
