/**
 * Writes refused passwords to the audit log. Nobody can delete its rows, and everybody can type an address. So a person
 * gets at most one row an hour, and an address of nobody gets none. The answer waits for none of this: its time would
 * reveal whether the address is known.
 */
import { type Database, findPerson, noteRefusedSignIn } from '@kurir/database';
import type { Logger } from '@kurir/logging';
import type { AttemptLimits } from '@kurir/queue';

const onceAnHour = { max: 1, windowSeconds: 3_600 };

export type NoteRefusal = (email: string, address: string | null) => void;

export function createNoteRefusal(database: Database, attempts: AttemptLimits, logger: Logger): NoteRefusal {
  async function note(email: string, address: string | null): Promise<void> {
    const person = await findPerson(database, email);
    if (person === null) return;
    const { allowed } = await attempts.take(`refused:${person.id}`, onceAnHour);
    if (allowed) await noteRefusedSignIn(database, person.id, address);
  }
  return (email, address) =>
    void note(email, address).catch((err: unknown) => logger.warn({ err }, 'refused sign-in not noted'));
}
