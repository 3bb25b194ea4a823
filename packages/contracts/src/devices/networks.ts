/**
 * Every network that Kurir speaks, and what each can do. Other packages ask here and compare no names. A
 * new network is an entry here and a package with its driver: the compiler then asks the worker for the driver.
 */
export const pairingMethods = ['qr', 'pairing_code'] as const;
/** How a device is linked: a QR that the phone scans, or a code that is typed into the phone. */
export type PairingMethod = (typeof pairingMethods)[number];

export type Politeness = {
  /** Messages per minute; null: as fast as the network takes them. */
  readonly pacePerMinute: number | null;
  /** Each message waits for a random time up to this; at most 5,000. The pace stays the average. */
  readonly paceJitterMs: number;
  /**
   * How many new contacts the device may write to within 24 hours; null: no limit. `automatic`: as the health of its
   * number allows, with a pause after each and a part that is kept for codes.
   */
  readonly newContactsPerDay: number | null | 'automatic';
  /** The recipient is shown typing for so long before each text; 0: not. At most 5,000. */
  readonly typingMs: number;
};

export type NetworkDeclaration = {
  /** Its name as people know it. */
  readonly title: string;
  /** Its phones are pretended: nothing reaches a person. */
  readonly isSandbox: boolean;
  readonly pairing: readonly PairingMethod[];
  readonly hasTyping: boolean;
  /** The furthest state that its receipts report. */
  readonly receipts: 'sent' | 'delivered' | 'read';
  /** It may limit messages to new contacts, so the worker remembers whom a device knows. */
  readonly limitsNewContacts: boolean;
  /** A device may reach it through a proxy of its own. */
  readonly hasProxies: boolean;
  /**
   * How often a message may be tried under its one id without an answer; then it is `unknown`. More than 1 only where the
   * receiver shows one id once.
   */
  readonly triesWithoutAnswer: number;
  /** The look of its message ids: a prefix, then so many upper-case hex digits. */
  readonly messageId: { readonly prefix: string; readonly hexDigits: number };
  /** What a new device starts with. */
  readonly politeness: Politeness;
};

/** The ids that WhatsApp Web makes. */
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
    // It limits nobody itself. A customer's limit for a device must hold here as on WhatsApp.
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

/** The network of a new device, unless its creator names another. */
export const defaultNetwork: Network = 'whatsapp';
/** The network of a new device that is only for trying. */
export const defaultSandbox: Network = 'simulator';

/** False for the name of a network that a newer version stored. */
export const isNetwork = (name: string): name is Network => Object.hasOwn(networks, name);

export const isSandbox = (name: string): boolean => isNetwork(name) && networks[name].isSandbox;

export const sandboxNetworks: readonly Network[] = networkNames.filter(isSandbox);
