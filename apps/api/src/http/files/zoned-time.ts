/** Returns a writer of times with the offset of the zone, such as `2026-11-26T15:30:00.000+07:00`. Null means UTC. */
export function zonedTime(timeZone: string | null): (at: Date | null | undefined) => string | null {
  if (timeZone === null) return (at) => at?.toISOString() ?? null;
  const format = new Intl.DateTimeFormat('en', { timeZone, timeZoneName: 'longOffset' });
  return (at) => {
    if (at === null || at === undefined) return null;
    const name = format.formatToParts(at).find(({ type }) => type === 'timeZoneName')?.value ?? '';
    const [, sign = '+', hours = '00', minutes = '00', seconds = '00'] =
      /([+-])(\d\d):(\d\d)(?::(\d\d))?/.exec(name) ?? [];
    const offsetMs = (Number(hours) * 3_600 + Number(minutes) * 60 + Number(seconds)) * 1_000;
    const local = new Date(at.getTime() + (sign === '-' ? -offsetMs : offsetMs));
    return local.toISOString().replace('Z', `${sign}${hours}:${minutes}`);
  };
}
