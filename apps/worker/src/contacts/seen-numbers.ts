/** The numbers of a file with their first rows, in less than forty bytes each. A map of texts would need far more. */
export type SeenNumbers = {
  /** Returns the row that has the number first, or null if it is this one. `phone` is digits with country code. */
  add(phone: string, row: number): number | null;
};

const firstSlots = 1_024;
/** A fuller table would look in many places for each number. */
const maxFill = 0.6;

/** A number has at most 15 digits, so a double holds it exactly. */
const hashOf = (number: number): number => {
  const low = Math.imul(number % 0x1_0000_0000, 0x9e37_79b1);
  const high = Math.imul(Math.floor(number / 0x1_0000_0000), 0x85eb_ca77);
  const mixed = low ^ high;
  return (mixed ^ (mixed >>> 15)) >>> 0;
};

/** Zero is no number, so it marks a free slot. */
type Slots = { readonly numbers: Float64Array; readonly rows: Uint32Array };

const slotsOf = (size: number): Slots => ({ numbers: new Float64Array(size), rows: new Uint32Array(size) });

/** Returns the row of the number if it is there already. */
function put({ numbers, rows }: Slots, number: number, row: number): number | null {
  const mask = numbers.length - 1;
  for (let at = hashOf(number) & mask; ; at = (at + 1) & mask) {
    if (numbers[at] === number) return rows[at] ?? null;
    if (numbers[at] !== 0) continue;
    numbers[at] = number;
    rows[at] = row;
    return null;
  }
}

export function createSeenNumbers(): SeenNumbers {
  let slots = slotsOf(firstSlots);
  let count = 0;

  function grow(): void {
    const { numbers, rows } = slots;
    slots = slotsOf(numbers.length * 2);
    for (const [at, number] of numbers.entries()) if (number !== 0) put(slots, number, rows[at] ?? 0);
  }

  return {
    add(phone, row) {
      if (count + 1 > slots.numbers.length * maxFill) grow();
      const first = put(slots, Number(phone), row);
      if (first === null) count++;
      return first;
    },
  };
}
