/** The numbers of a file that were seen, in sixteen bytes each or less. A set of texts would need far more. */
export type SeenNumbers = {
  /** Returns false if the number was seen before. `phone` is digits with country code. */
  add(phone: string): boolean;
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

/** Zero is no number, so it marks a free slot. Returns false if the number is there already. */
function put(slots: Float64Array, number: number): boolean {
  const mask = slots.length - 1;
  for (let at = hashOf(number) & mask; ; at = (at + 1) & mask) {
    if (slots[at] === number) return false;
    if (slots[at] !== 0) continue;
    slots[at] = number;
    return true;
  }
}

export function createSeenNumbers(): SeenNumbers {
  let slots = new Float64Array(firstSlots);
  let count = 0;

  function grow(): void {
    const wider = new Float64Array(slots.length * 2);
    for (const number of slots) if (number !== 0) put(wider, number);
    slots = wider;
  }

  return {
    add(phone) {
      if (count + 1 > slots.length * maxFill) grow();
      const isNew = put(slots, Number(phone));
      if (isNew) count++;
      return isNew;
    },
  };
}
