export type Point = { readonly x: number; readonly y: number };

/** How much y grows with x: the slope of the line that fits the points best, by least squares. */
export function slope(points: readonly Point[]): number {
  const mean = (values: readonly number[]) => values.reduce((sum, value) => sum + value, 0) / values.length;
  const [meanX, meanY] = [mean(points.map(({ x }) => x)), mean(points.map(({ y }) => y))];
  const covariance = points.reduce((sum, { x, y }) => sum + (x - meanX) * (y - meanY), 0);
  const variance = points.reduce((sum, { x }) => sum + (x - meanX) ** 2, 0);
  if (variance === 0) throw new Error('a slope needs two different places');
  return covariance / variance;
}
