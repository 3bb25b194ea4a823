// The layout of Python's text.
const WIDTH = 100;

/** Wraps words at the width of a line. Each paragraph is indented by `indent`, and its later lines by `hanging` more. */
export function block(text, indent, hanging = 0) {
  return text
    .replaceAll('\\', '\\\\')
    .split('\n')
    .map((paragraph) => wrap(paragraph, indent, hanging))
    .join('\n');
}

function wrap(paragraph, indent, hanging) {
  const lines = [''];
  for (const word of paragraph.split(' ')) {
    const pad = indent + (lines.length > 1 ? hanging : 0);
    const longer = lines.at(-1) === '' ? word : `${lines.at(-1)} ${word}`;
    if (pad + longer.length <= WIDTH || lines.at(-1) === '') lines[lines.length - 1] = longer;
    else lines.push(word);
  }
  return lines.map((line, index) => ' '.repeat(line === '' ? 0 : indent + (index > 0 ? hanging : 0)) + line).join('\n');
}

/** `name(a, b)` on one line if it fits, else one part a line. `before` and `after` stand around it. */
export function call(before, parts, after, indent) {
  const flat = `${before}(${parts.join(', ')})${after}`;
  if (indent + flat.length <= WIDTH && !flat.includes('\n')) return flat;
  const pad = ' '.repeat(indent);
  return `${before}(\n${parts.map((part) => `${pad}    ${part},`).join('\n')}\n${pad})${after}`;
}

/** The same for a dict. A comma follows it. */
export function dict(before, entries, indent) {
  const flat = `${before}{${entries.join(', ')}}`;
  const pad = ' '.repeat(indent);
  return flat.length + indent < WIDTH
    ? flat
    : `${before}{\n${entries.map((entry) => `${pad}    ${entry},`).join('\n')}\n${pad}}`;
}

export const snake = (name) => name.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);
