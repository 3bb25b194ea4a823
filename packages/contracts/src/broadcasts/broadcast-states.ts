/** The states of a broadcast, and the words for its recipients. */

export const broadcastStates = {
  draft: 'Rows can be added to its list. A check fixes the list.',
  checking: 'A worker reads its file or its contacts.',
  ready: 'Its recipients are fixed. It can start.',
  scheduled: 'It starts at `send_at`.',
  running: 'Its messages go out.',
  paused: 'Nothing more goes out until it goes on; `paused_by` says why.',
  finished: 'Each recipient has an outcome.',
  cancelled: 'Somebody ended it, or `audience_problem` did, or it was left for 30 days. The rest stays unsent.',
} as const;
export type BroadcastState = keyof typeof broadcastStates;

export const pauseReasons = {
  user: 'Somebody paused it. Somebody must resume it.',
  guard: 'Too many messages failed, or too many people opted out. Somebody must resume it.',
  window: 'It is outside the hours in which it may send. It goes on by itself.',
  no_device: 'None of its devices can send. It goes on by itself.',
  quota: 'The quota does not suffice. It goes on by itself once it does.',
} as const;
export type PauseReason = keyof typeof pauseReasons;

/** Why a recipient gets no message. */
export const skipReasons = {
  invalid_number: 'The number is not possible.',
  unreadable_row: 'The row of the file is broken, or a value that the text needs is.',
  duplicate: 'The recipient stands in the list twice.',
  missing_value: 'A value that the text needs is missing.',
  text_refused: 'The text for this recipient is empty or too long.',
  suppressed: 'The person opted out, or the account suppressed the number.',
  too_often: 'The person got as many marketing messages in 24 hours as the broadcast allows.',
  no_open_hour: 'No hour of the window is open in all time zones in which the person may live.',
  cancelled: 'The broadcast was cancelled before.',
  erased: 'The person was erased.',
} as const;
export type SkipReason = keyof typeof skipReasons;

/** Why an audience could not be read to the end, apart from the form of its file. Each sentence says what to do. */
export const audienceProblems = {
  upload_gone: 'The file is not kept any more. Send it again and create a new broadcast.',
  too_many_rows: 'The audience has more than 1,000,000 recipients. Make several broadcasts.',
  column_missing: 'The file has no column of the mapping any more. Send it again and create a new broadcast.',
  too_slow: 'Reading the audience took too long. Choose the contacts by a list, or send them as a file.',
  internal_error: 'Something broke on our side. Create the broadcast again, and tell us if it happens again.',
} as const;
export type AudienceProblem = keyof typeof audienceProblems;
