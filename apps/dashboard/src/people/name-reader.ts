/** Reads names by number. Rows that ask in the same moment share a request, so a page of a list costs one. */
type Names = ReadonlyMap<string, string>;
type Asked = { readonly phone: string; give(name: string | null): void; refuse(failure: unknown): void };

/** `most`: so many numbers in one request. Null: the number has no name. */
export function createNameReader(read: (phones: readonly string[]) => Promise<Names>, most: number) {
  let waiting: Asked[] = [];

  async function answer(asked: readonly Asked[]): Promise<void> {
    try {
      const names = await read([...new Set(asked.map(({ phone }) => phone))]);
      for (const { phone, give } of asked) give(names.get(phone) ?? null);
    } catch (failure) {
      for (const { refuse } of asked) refuse(failure);
    }
  }

  function flush(): void {
    const all = waiting;
    waiting = [];
    for (let from = 0; from < all.length; from += most) void answer(all.slice(from, from + most));
  }

  return (phone: string): Promise<string | null> =>
    new Promise((give, refuse) => {
      if (waiting.length === 0) setTimeout(flush);
      waiting.push({ phone, give, refuse });
    });
}
