/** Gives the references of the example a new ending. Other references were typed by a person, and stay. */

const reference = /("client_ref":\s*")([^"]*)"/g;
const ending = /-[0-9a-f]{8}$/;

export function withNewReferences(body: string, example: string, suffix: string): string {
  const examples = new Set([...example.matchAll(reference)].map(([, , value]) => value));
  return body.replace(reference, (whole, start: string, value: string) => {
    const bare = value.replace(ending, '');
    return examples.has(bare) ? `${start}${bare}-${suffix}"` : whole;
  });
}
