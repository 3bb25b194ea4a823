/** Parsers for commander's arguments. A wrong value becomes a usage error that names the option. */
import { isRecipientNumber, type Scope, scopes, suspensionReason } from '@kurir/contracts';
import { InvalidArgumentError } from 'commander';
import { isAllowListEntry } from '../../signatures/ip-allow-list.js';

const largestInteger = 2_147_483_647;

export function parseWhole(text: string): number {
  const value = Number(text);
  if (/^[0-9]+$/.test(text) && value <= largestInteger) return value;
  throw new InvalidArgumentError('must be a whole number');
}

export function parsePositive(text: string): number {
  const value = parseWhole(text);
  if (value > 0) return value;
  throw new InvalidArgumentError('must be at least 1');
}

export function parsePhone(text: string): string {
  if (isRecipientNumber(text)) return text;
  throw new InvalidArgumentError('must be a phone number: digits with country code');
}

export function parseName(text: string): string {
  const name = text.trim();
  if (name !== '' && name.length <= 100) return name;
  throw new InvalidArgumentError('must be 1 to 100 characters');
}

export function parseReason(text: string): string {
  const parsed = suspensionReason.safeParse(text);
  if (parsed.success) return parsed.data;
  throw new InvalidArgumentError(parsed.error.issues[0]?.message ?? 'cannot be shown');
}

/** Collects an option that may be given several times. */
export function collectScope(text: string, before: readonly Scope[] = []): Scope[] {
  const scope = scopes.find((known) => known === text);
  if (scope !== undefined) return [...before, scope];
  throw new InvalidArgumentError(`must be one of ${scopes.join(', ')}`);
}

export function collectIp(text: string, before: readonly string[] = []): string[] {
  if (isAllowListEntry(text)) return [...before, text];
  throw new InvalidArgumentError('must be an IP address or a CIDR range');
}
