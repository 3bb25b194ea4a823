import { appendFileSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { openClientRecord } from './client-record.js';
import { openRunJournal } from './run-journal.js';

let directory: string;
beforeEach(() => {
  directory = mkdtempSync(join(tmpdir(), 'kurir-torture-'));
});
afterEach(() => rmSync(directory, { recursive: true }));

it('a journal that ends in the middle of a line is read up to that line and continues', () => {
  const path = join(directory, 'journal.jsonl');
  const first = openRunJournal(path);
  first.write({ kind: 'fault_begun', index: 0, fault: 'kill_api' });
  first.close();
  appendFileSync(path, '{"at":1,"kind":"fault_be');
  const second = openRunJournal(path);
  expect(second.entries).toMatchObject([{ kind: 'fault_begun', index: 0 }]);
  second.write({ kind: 'resumed' });
  second.close();
  expect(openRunJournal(path).entries.map((entry) => entry.kind)).toEqual(['fault_begun', 'resumed']);
});

it('the record of an interrupted client knows its requests, verdicts and cancellations', () => {
  const path = join(directory, 'client.jsonl');
  const first = openClientRecord(path);
  const asked = { account: 0, device: 0, recipient: '1', priority: 'otp', ttlSeconds: null, sendAt: null } as const;
  first.ask([
    { ...asked, ref: 'a', askedAt: 1 },
    { ...asked, ref: 'b', askedAt: 2 },
  ]);
  const verdict = { kind: 'accepted', jobId: 'msg_1', at: 3, request: 'r', position: 0 } as const;
  first.decide([{ ref: 'a', verdict }]);
  first.cancelled('a', 4);
  appendFileSync(path, '{"ref":"b","v":{"kind":"acc');
  const second = openClientRecord(path);
  expect([...second.byRef.values()]).toEqual([
    { asked: { ...asked, ref: 'a', askedAt: 1 }, verdict, cancelledAt: 4 },
    { asked: { ...asked, ref: 'b', askedAt: 2 }, verdict: null, cancelledAt: null },
  ]);
});
