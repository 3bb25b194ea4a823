/** Why a text is no phone number that Kurir can write to. Each sentence says what to do. */
const sentences = {
  empty: 'The phone number is missing. Fill it in.',
  not_a_number: 'This is not a phone number. Write digits, such as 0812 3456 7890 or +62 812 3456 7890.',
  too_short: 'The phone number has too few digits. Check whether some are missing.',
  too_long: 'The phone number has too many digits. Write one number in each cell.',
  not_possible:
    'No phone number of this country looks like this. Check the digits, or begin with + and the country code.',
  ruined_by_excel:
    'The spreadsheet has turned the number into something like 6.28123E+12, so its last digits are lost. Take the numbers from the first source again. Format the column as text before you paste them.',
} as const;

export type PhoneReason = keyof typeof sentences;

// The table's own keys; Object.keys only knows `string`.
export const phoneReasons = Object.keys(sentences) as readonly PhoneReason[];

export const phoneSentence = (reason: PhoneReason): string => sentences[reason];
