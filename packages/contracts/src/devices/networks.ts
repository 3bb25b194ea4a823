/**
 * The networks that Kurir speaks, and the capabilities of each. Other packages read these and never compare names of
 * networks. A new network needs an entry here and a package with its driver. The compiler then asks the worker for the driver.
 */
export const pairingMethods = ['qr', 'pairing_code'] as const;
/** How a device is linked: the phone scans a QR, or a person types a code into the phone. */
export type PairingMethod = (typeof pairingMethods)[number];

export type Politeness = {
  /** The most messages per minute. Null: as fast as the network accepts them. */
  readonly pacePerMinute: number | null;
  /** Each message waits for a random time up to this; at most `limits.jitterMaxMs`. The average pace stays the same. */
  readonly paceJitterMs: number;
  /**
   * How many new contacts the device may write to within 24 hours. Null: no limit. `automatic`: the limit follows the health
   * of the number. The device then pauses after each new contact and keeps a part of the limit for one-time codes.
   */
  readonly newContactsPerDay: number | null | 'automatic';
  /** How long the recipient sees the device typing before each text. 0: not at all. At most `limits.typingMaxMs`. */
  readonly typingMs: number;
};

export type NetworkDeclaration = {
  /** The name that people know. */
  readonly title: string;
  /** The phones are pretended. No message reaches a person. */
  readonly isSandbox: boolean;
  readonly pairing: readonly PairingMethod[];
  readonly hasTyping: boolean;
  /** The last state that receipts of the network report. */
  readonly receipts: 'sent' | 'delivered' | 'read';
  /** The network may limit messages to new contacts, so the worker stores the contacts of a device. */
  readonly limitsNewContacts: boolean;
  /** A device may use its own proxy. */
  readonly hasProxies: boolean;
  /**
   * The most attempts without an answer, all under one id. After them the message is `unknown`. More than one is safe only if
   * the recipient's app shows an id once.
   */
  readonly triesWithoutAnswer: number;
  /** The form of the network's message ids: a prefix, then this many upper-case hex digits. */
  readonly messageId: { readonly prefix: string; readonly hexDigits: number };
  /** The settings of a new device. */
  readonly politeness: Politeness;
};

/** The form of the ids that WhatsApp Web makes. */
const webMessageId = { prefix: '3EB0', hexDigits: 18 };

export const networks = {
  whatsapp: {
    title: 'WhatsApp',
    isSandbox: false,
    pairing: ['qr', 'pairing_code'],
    hasTyping: true,
    receipts: 'read',
    limitsNewContacts: true,
    hasProxies: true,
    triesWithoutAnswer: 3,
    messageId: webMessageId,
    // WhatsApp restricts numbers that write fast, evenly, or to many new contacts.
    politeness: { pacePerMinute: 20, paceJitterMs: 2_000, newContactsPerDay: 'automatic', typingMs: 0 },
  },
  simulator: {
    title: 'Simulated network',
    isSandbox: true,
    pairing: ['qr', 'pairing_code'],
    hasTyping: true,
    receipts: 'read',
    // The simulator limits nobody. But a customer's limit for a device must hold here as on WhatsApp.
    limitsNewContacts: true,
    hasProxies: false,
    triesWithoutAnswer: 3,
    messageId: webMessageId,
    politeness: { pacePerMinute: null, paceJitterMs: 0, newContactsPerDay: null, typingMs: 0 },
  },
} as const satisfies Record<string, NetworkDeclaration>;

export type Network = keyof typeof networks;

// The record has exactly these keys; Object.keys only knows `string`.
export const networkNames = Object.keys(networks) as [Network, ...Network[]];

/** The network of a new device if the request names none. */
export const defaultNetwork: Network = 'whatsapp';
/** The network of a new device for trying things out. */
export const defaultSandbox: Network = 'simulator';

/** False for a name that only a newer version of Kurir knows: the database can hold one. */
export const isNetwork = (name: string): name is Network => Object.hasOwn(networks, name);

export const isSandbox = (name: string): boolean => isNetwork(name) && networks[name].isSandbox;

export const sandboxNetworks: readonly Network[] = networkNames.filter(isSandbox);
