declare module '#sandbox-networks' {
  export const sandboxNetworks: readonly string[];
}
