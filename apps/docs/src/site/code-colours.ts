/**
 * Gives highlighted code classes in place of style attributes, which the policy of the pages forbids. All pages share one
 * file of styles.
 */
import { createHash } from 'node:crypto';

type Element = { properties: Record<string, unknown> };

const isText = (value: unknown): value is string => typeof value === 'string';

export type CodeColours = {
  /** A transformer of Shiki. */
  readonly transformer: {
    readonly name: string;
    pre(node: Element): void;
    code(node: Element): void;
    line(node: Element): void;
    span(node: Element): void;
  };
  /** The styles of everything that was highlighted so far. */
  css(): string;
};

export function createCodeColours(): CodeColours {
  const rules = new Map<string, string>();
  const toClass = ({ properties }: Element): void => {
    const { style } = properties;
    delete properties['style'];
    if (!isText(style) || style === '') return;
    const name = `c-${createHash('sha256').update(style).digest('hex').slice(0, 6)}`;
    rules.set(name, style);
    properties['class'] = [...[properties['class']].flat().filter(isText), name].join(' ');
  };
  return {
    transformer: { name: 'code-colours', pre: toClass, code: toClass, line: toClass, span: toClass },
    css: () =>
      [...rules]
        .sort(([a], [b]) => (a < b ? -1 : 1))
        .map(([name, style]) => `.${name}{${style}}`)
        .join('\n'),
  };
}
