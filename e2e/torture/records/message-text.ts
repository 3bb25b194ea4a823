/** The text that belongs to a `client_ref`: whoever sees it at a phone knows what was asked. */
export const textOf = (ref: string) => `Kode verifikasi Anda untuk ${ref}. Jangan berikan kepada siapa pun.`;

export function refOf(text: string): string | null {
  return /^Kode verifikasi Anda untuk (\S+)\. Jangan/.exec(text)?.[1] ?? null;
}
