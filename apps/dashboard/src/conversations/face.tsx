/** The first letter of a name. A number has none, so its last digits stand there. */
const signOf = (name: string): string => {
  const [letter] = name.match(/\p{L}|\p{Extended_Pictographic}/u) ?? [];
  return letter?.toLocaleUpperCase() ?? name.replace(/\D/g, '').slice(-2);
};

export function Face({ name }: { name: string }) {
  return (
    <span
      aria-hidden
      className="flex size-10 shrink-0 items-center justify-center rounded-full bg-accent-soft text-sm font-semibold text-accent"
    >
      {signOf(name)}
    </span>
  );
}
