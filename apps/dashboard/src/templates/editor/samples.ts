/** The texts that people would get, as far as an editor can know them. */
import { equalShare, type ParsedTemplate, renderTemplate, variablesOf } from '@kurir/contracts/dashboard';

/** A broadcast has its own seed, its id. */
const seed = 'preview';
const people = 60;

/** A number that belongs to nobody. */
export const sampleNumber = (person: number): string => String(6281200000000 + person);

export const renderSample = (template: ParsedTemplate, values: Readonly<Record<string, string>>, person: number) =>
  renderTemplate(template, values, { recipient: sampleNumber(person), seed });

/** Whether most people would get one text, if no two of them had the same value. */
export function isAlikeForMost(template: ParsedTemplate): boolean {
  const names = variablesOf(template).map(({ name }) => name);
  const texts = Array.from({ length: people }, (_, person) => {
    const values = Object.fromEntries(names.map((name) => [name, String(person)]));
    const rendering = renderSample(template, values, person);
    return rendering.kind === 'text' ? rendering.text : '';
  });
  return equalShare(texts).mostAreEqual;
}
