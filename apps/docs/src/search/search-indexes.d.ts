declare module '#search-indexes' {
  const indexes: Readonly<Record<'root' | 'id', () => Promise<{ readonly default: string }>>>;
  export default indexes;
}
