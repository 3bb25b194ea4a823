/** The oldest major version that its makers still mend. */
const oldestSupported = 22;

/** Returns a sentence if this Node gets no security fixes any more. Kurir runs on it all the same. */
export function oldNodeWarning(version: string = process.versions.node): string | null {
  const [major = ''] = version.split('.');
  return Number(major) >= oldestSupported
    ? null
    : `Node ${major} gets no security fixes any more. Run Kurir with Node 22 or 24.`;
}
