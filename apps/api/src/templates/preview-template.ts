/** Renders a text for a few recipients. It stores nothing and asks nothing. */
import {
  type BodyOf,
  countCodePoints,
  type DataOf,
  equalShare,
  parseTemplate,
  renderTemplate,
  type Rendering,
  variablesOf,
} from '@kurir/contracts';
import type { Handler } from '../operations/operation-request.js';

/** A broadcast has its own seed, its id. */
const seed = 'preview';

const advice =
  'Most of these texts are equal. Networks restrict numbers that send one text to many people. Add a name, or a choice such as {{pick:Halo|Hai}}.';

type Row = DataOf<'previewTemplate'>['rows'][number];

function showRow(phone: string, rendering: Rendering): Row {
  if (rendering.kind === 'text')
    return {
      phone,
      text: rendering.text,
      problem: null,
      missing: [],
      code_points: countCodePoints(rendering.text),
    };
  const nothing = { phone, text: null, code_points: null };
  return rendering.kind === 'missing'
    ? { ...nothing, problem: 'missing', missing: [...rendering.names] }
    : { ...nothing, problem: rendering.reason, missing: [] };
}

function preview({ text, footer, rows }: BodyOf<'previewTemplate'>): DataOf<'previewTemplate'> {
  const parsing = parseTemplate(text, footer);
  if (!parsing.ok) throw new Error('the schema lets only templates pass');
  const { template } = parsing;
  const shown = rows.map(({ phone, values }) =>
    showRow(phone, renderTemplate(template, values, { recipient: phone, seed })),
  );
  const { share, mostAreEqual } = equalShare(shown.flatMap((row) => row.text ?? []));
  return {
    variables: variablesOf(template),
    rows: shown,
    equal_share: share,
    warning: mostAreEqual ? 'mostly_equal' : null,
    advice: mostAreEqual ? advice : null,
  };
}

export const previewTemplate: Handler<'previewTemplate'> = ({ body }) => Promise.resolve(preview(body));
