/** A phone cannot scan a QR code on its own screen. */
export const isPhone = () => matchMedia('(pointer: coarse) and (max-width: 600px), (max-width: 480px)').matches;
