/** Loads a page anew, so that nothing of the erased person or account stays in memory. */
export function leaveTo(place: 'home' | 'sign-in'): void {
  window.location.assign(place === 'home' ? '/app/' : '/app/sign-in');
}
