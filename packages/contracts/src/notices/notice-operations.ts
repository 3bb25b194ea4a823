/** The notices of a person: the bell of the dashboard, and which kinds come. */
import { z } from 'zod';
import { timestamp } from '../fields/timestamp.js';
import type { OperationForPeople } from '../http/operation-entry.js';
import { pageQuery } from '../http/page-query.js';
import { noticeKindNames } from './notice-kinds.js';

const noticeId = z.string().regex(/^\d{1,18}$/, 'must be a notice_id of an earlier answer');

const notice = z.object({
  notice_id: noticeId,
  kind: z.enum(noticeKindNames),
  /** When it happened. */
  at: timestamp,
  read: z.boolean(),
  /** The id of a device, a webhook's endpoint, a renewal, a person, a broadcast, or the account. */
  subject: z.string(),
  /** The name of the subject, or the address of the endpoint. Null: it is gone, or the notice is about the account. */
  name: z.string().nullable(),
  /** The percentage of the quota, the days that the plan has left, the hours of failures, the reason of the end, or the role. */
  state: z.string().nullable(),
  /** The reason for the state of the device. */
  reason: z.string().nullable(),
  /** The end of the restriction or of the plan, if it is known. */
  until: timestamp.nullable(),
});

const choice = z.object({
  kind: z.enum(noticeKindNames),
  mail: z.boolean(),
  bell: z.boolean(),
  /** The mails of this kind cannot be switched off. */
  always: z.boolean(),
});

const choices = z.object({ choices: z.array(choice) });
const unread = z.int().meta({ description: 'How many notices are unread; 100 for more than 99.' });

/** Only people use these. */
export const noticeOperations = {
  listNotices: {
    method: 'GET',
    path: '/app/api/notices',
    summary: 'List the notices of the person in this account, newest first. Kurir keeps them for 30 days.',
    access: 'agent',
    audit: null,
    body: null,
    query: pageQuery,
    data: z.object({ unread, notices: z.array(notice), next_cursor: z.string().nullable() }),
    message: 'Notices listed',
    errors: [],
  },
  readNotices: {
    method: 'POST',
    path: '/app/api/notices/read',
    summary: 'Mark a notice as read, and with `older` also every older one. Only the person sees a difference.',
    access: 'agent',
    audit: null,
    whileSuspended: true,
    body: z.strictObject({ notice_id: noticeId, older: z.boolean().default(false) }),
    query: null,
    data: z.object({ unread }),
    message: 'Notices marked',
    errors: [],
  },
  listNoticeChoices: {
    method: 'GET',
    path: '/app/api/notices/choices',
    summary: 'List the kinds of notices that the person can get in this account, and which of them come.',
    access: 'agent',
    audit: null,
    body: null,
    query: null,
    data: choices,
    message: 'Choices listed',
    errors: [],
  },
  chooseNotices: {
    method: 'POST',
    path: '/app/api/notices/choices',
    summary: 'Switch a kind of notices on or off, for the person in this account. Mails about security always come.',
    access: 'agent',
    audit: null,
    whileSuspended: true,
    body: z.strictObject({ kind: z.enum(noticeKindNames), mail: z.boolean(), bell: z.boolean() }),
    query: null,
    data: choices,
    message: 'Choice stored',
    errors: [],
  },
} as const satisfies Record<string, OperationForPeople>;
