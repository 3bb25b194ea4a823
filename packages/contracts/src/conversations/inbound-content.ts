/** The content of a message that somebody wrote to a device, as far as its network told it. */

export const mediaTypes = ['image', 'video', 'audio', 'voice', 'document', 'sticker'] as const;

/** A file that the network still keeps. Nothing is downloaded. */
export type InboundMedia = {
  readonly mimeType: string | null;
  readonly sizeBytes: number | null;
  readonly fileName: string | null;
  /** The hash of the decrypted file, as lowercase hex. */
  readonly sha256: string | null;
  readonly seconds: number | null;
  readonly width: number | null;
  readonly height: number | null;
  /** Lets the driver fetch the file later. Only the driver understands it; it never leaves the gateway. */
  readonly reference: string | null;
};

export type InboundLocation = {
  readonly latitude: number;
  readonly longitude: number;
  readonly name: string | null;
  readonly address: string | null;
  /** The person shares a position that moves. Only the first position is known. */
  readonly live: boolean;
};

export type InboundContact = { readonly name: string | null; readonly phones: readonly string[] };

export type InboundPoll = {
  readonly question: string;
  readonly options: readonly string[];
  /** How many options one person may choose. */
  readonly choices: number;
};

/** `text` of a kind other than `text` is its caption. */
export type InboundContent =
  | { readonly type: 'text'; readonly text: string }
  | { readonly type: (typeof mediaTypes)[number]; readonly text: string | null; readonly media: InboundMedia }
  | { readonly type: 'location'; readonly text: string | null; readonly location: InboundLocation }
  | { readonly type: 'contacts'; readonly contacts: readonly InboundContact[] }
  | { readonly type: 'poll'; readonly poll: InboundPoll }
  /** `rawType` is the network's own word for what the driver does not understand. `text` is a text that it found. */
  | { readonly type: 'unsupported'; readonly rawType: string; readonly text: string | null };

export const inboundTypes = ['text', ...mediaTypes, 'location', 'contacts', 'poll', 'unsupported'] as const;

export type InboundType = (typeof inboundTypes)[number];

/** The text or the caption. Null: it has none. */
export const textOf = (content: InboundContent): string | null => ('text' in content ? content.text : null);
