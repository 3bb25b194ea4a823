/** Forgets what the person typed and did not send. The browser would keep it until the tab is closed. */
export function forgetTyped(): void {
  try {
    sessionStorage.clear();
  } catch {
    // the browser forbids storage, so there is nothing
  }
}
