/** The text for a `client_ref`. `refOf` finds the ref again in a text at a phone. */
export const textOf = (ref: string) => `Kode verifikasi Anda untuk ${ref}. Jangan berikan kepada siapa pun.`;

export function refOf(text: string): string | null {
  return /^Kode verifikasi Anda untuk (\S+)\. Jangan/.exec(text)?.[1] ?? null;
}
