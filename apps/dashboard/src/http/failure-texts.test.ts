import { type FieldRule, fieldRules } from '@kurir/contracts/dashboard';
import { errorCodes } from '@kurir/contracts';
import { describe, expect, test } from 'vitest';
import { reasonSentence, reasonTexts } from '../devices/device/reason-texts.js';
import { failureSentence } from '../form/failure-sentence.js';
import { fieldSentence } from '../form/field-sentence.js';
import type { FailureCode } from './api-failure.js';
import { failureTexts } from './failure-texts.js';

const codes: readonly FailureCode[] = [...errorCodes, 'OFFLINE', 'UNREADABLE'];

/** A path, a header or a code has no place on a page. */
const machineWord = /\/api\/|X-[A-Z]|Retry-After|Authorization|[A-Z]{2,}_[A-Z]|\b(GET|POST|PATCH|DELETE) \//;

describe('the sentence of a failure', () => {
  test.each(codes)('%s exists in both languages, and names nothing of a program', (code) => {
    const { en, id } = failureTexts;
    for (const sentence of [en[code], id[code]]) {
      expect(sentence).toMatch(/^[A-Z].*\.$/);
      expect(sentence).not.toMatch(machineWord);
    }
    expect(id[code]).not.toBe(en[code]);
  });

  test('names the field and the rule that the gateway found broken', () => {
    const fault = { field: 'pace_per_minute', rule: 'too_high', limit: 1_200 } as const;
    expect(failureSentence({ code: 'INVALID_REQUEST', fault }, 'id')).toBe(
      'Pesan per menit: Tidak boleh lebih dari 1.200.',
    );
    expect(failureSentence({ code: 'INVALID_REQUEST', fault }, 'en')).toBe('Messages per minute: Not more than 1,200.');
  });

  test('leaves out the name of a field that only programs know', () => {
    const fault = { field: '__proto__.if_version', rule: 'type' } as const;
    expect(failureSentence({ code: 'INVALID_REQUEST', fault }, 'id')).not.toContain('_');
  });

  test('is still a sentence for a code that a newer gateway made', () => {
    const code = 'SOMETHING_NEW' as FailureCode; // the answer of a gateway that knows more than this page
    expect(failureSentence({ code, fault: null }, 'id')).toBe(failureTexts.id.UNREADABLE);
  });
});

test.each<FieldRule>([...fieldRules])('the rule %s has a sentence in both languages', (rule) => {
  for (const limit of [1, 4_096]) {
    const en = fieldSentence({ rule, limit }, 'en');
    const id = fieldSentence({ rule, limit }, 'id');
    expect(id).not.toBe(en);
    for (const sentence of [en, id]) expect(sentence).toMatch(/^[A-Z].*\.$/);
  }
});

test.each(Object.keys(reasonTexts.en))('the reason %s has a sentence in both languages', (reason) => {
  const device = { state_reason: reason, state_detail: null };
  const [en, id] = [reasonSentence(device, 'en'), reasonSentence(device, 'id')];
  expect(id).not.toBe(en);
  for (const sentence of [en, id]) {
    expect(sentence).toMatch(/\.$/);
    expect(sentence).not.toMatch(machineWord);
  }
});

test('a reason that the page does not know stays off the page', () => {
  expect(reasonSentence({ state_reason: 'toString', state_detail: null }, 'id')).toBeNull();
});
