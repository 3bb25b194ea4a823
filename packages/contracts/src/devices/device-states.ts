export const deviceStates = ['disconnected', 'pairing', 'connecting', 'connected', 'banned'] as const;
export type DeviceState = (typeof deviceStates)[number];
