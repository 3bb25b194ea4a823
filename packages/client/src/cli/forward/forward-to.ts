import { InvalidArgumentError } from 'commander';

/** The address of the developer's program, as a person types it. */
export function parseForwardTo(text: string): string {
  const url = URL.canParse(text) ? new URL(text) : null;
  if (url === null || !/^https?:$/.test(url.protocol))
    throw new InvalidArgumentError('Give the address of your program, like http://localhost:8000/hook.');
  if (url.username !== '' || url.password !== '')
    throw new InvalidArgumentError('Give the address without a name and a password.');
  url.hash = '';
  return url.href;
}
