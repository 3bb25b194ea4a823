/** Splits a shell command into words. Resolves quotes and escapes, and expands nothing. */
export function wordsOf(command: string): string[] {
  const words: string[] = [];
  let word: string | null = null;
  const add = (text: string) => {
    word = (word ?? '') + text;
  };
  for (let at = 0; at < command.length; at++) {
    const char = command.charAt(at);
    if (char === "'") {
      const end = endOf(command, at + 1, "'");
      add(command.slice(at + 1, end));
      at = end;
    } else if (char === '"') {
      const end = endOfDouble(command, at + 1);
      add(command.slice(at + 1, end).replace(/\\(["\\$`])/g, '$1'));
      at = end;
    } else if (char === '\\') {
      at++;
      if (command.charAt(at) !== '\n') add(command.charAt(at));
    } else if (/\s/.test(char)) {
      if (word !== null) words.push(word);
      word = null;
    } else add(char);
  }
  return word === null ? words : [...words, word];
}

function endOf(text: string, from: number, mark: string): number {
  const end = text.indexOf(mark, from);
  return end === -1 ? text.length : end;
}

function endOfDouble(text: string, from: number): number {
  for (let at = from; at < text.length; at++) {
    if (text[at] === '\\') at++;
    else if (text[at] === '"') return at;
  }
  return text.length;
}
