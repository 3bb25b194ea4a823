declare module '#examples/*?raw' {
  const text: string;
  export default text;
}
