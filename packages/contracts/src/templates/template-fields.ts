/** The fields of templates, and the bodies and queries of their operations. */
import { z } from 'zod';
import { hasAtMost } from '../fields/code-points.js';
import { phoneDestination } from '../fields/phone-destination.js';
import { isStorableText, notStorable } from '../fields/storable-text.js';
import { timestamp } from '../fields/timestamp.js';
import { limits } from '../http/limits.js';
import { parseTemplate, placeInText, type TemplateError } from './parse-template.js';
import { templateProblems } from './scan-template.js';

export const templateId = z.string().meta({ example: 'tpl_01kajp4m3s5y8zt0v6qk2c9hbe' });

const atMost = (max: number) => ({
  message: `must be at most ${max} characters (code points)`,
});

/** The first error of the text, with its place. */
function sayError({ problem, at }: TemplateError, text: string): string {
  const { line, character } = placeInText(text, at);
  return `line ${line}, character ${character}: ${templateProblems[problem]}`;
}

const written = (max: number) =>
  z
    .string()
    .refine(isStorableText, notStorable)
    .refine((text) => hasAtMost(max, text), atMost(max))
    .superRefine((text, context) => {
      const parsing = parseTemplate(text);
      const error = parsing.ok ? undefined : parsing.errors[0];
      if (error !== undefined) context.addIssue({ code: 'custom', message: sayError(error, text) });
    });

export const templateText = written(limits.templateMaxCodePoints)
  .refine((given) => given.trim() !== '', 'must not be empty')
  .meta({
    description:
      'The text, with `{{name}}`, `{{name|fallback}}` and `{{pick:one|two}}`. A backslash makes `{`, `}` and `|` plain text.',
    example: '{{pick:Halo|Hai}} {{nama|Kak}}, pesanan {{kode}} sudah siap.',
  });

export const templateFooter = written(limits.templateFooterMaxCodePoints)
  .refine((given) => !/[\r\n]/.test(given), 'must be one line')
  .nullable()
  .optional()
  .meta({
    description: 'One line after the text and an empty line. Null or empty: none.',
    example: 'Balas STOP untuk berhenti',
  });

const name = z
  .string()
  .trim()
  .min(1, 'must not be empty')
  .max(limits.templateNameMaxLength)
  .refine(isStorableText, notStorable)
  .meta({ description: 'Each template of an account has another name.', example: 'Pesanan siap' });

export const footerOf = (given: string | null | undefined): string | null =>
  given === undefined || given === null || given.trim() === '' ? null : given;

export const variable = z
  .object({
    name: z.string().meta({ example: 'nama' }),
    required: z.boolean().meta({ description: 'Somewhere the template has no fallback for it.' }),
  })
  .meta({ id: 'TemplateVariable' });

const version = {
  version: z.int().meta({ description: 'From 1. A version never changes.' }),
  text: z.string(),
  footer: z.string().nullable(),
};

export const template = z
  .object({
    template_id: templateId,
    name: z.string(),
    ...version,
    variables: z.array(variable),
    archived_at: timestamp.nullable(),
    created_at: timestamp,
    updated_at: timestamp,
  })
  .meta({ id: 'Template', description: 'A template with its latest version.' });

export const templateVersion = z
  .object({
    ...version,
    created_by: z.object({
      id: z.string().meta({ description: 'A person or a key.' }),
      name: z.string().nullable().meta({ description: 'Null: the person or key is gone.' }),
    }),
    created_at: timestamp,
  })
  .meta({ id: 'TemplateVersion' });

export const createTemplateRequest = z
  .strictObject({ name, text: templateText, footer: templateFooter })
  .meta({ id: 'CreateTemplateRequest' })
  .transform((body) => ({ name: body.name, text: body.text, footer: footerOf(body.footer) }));

export const createVersionRequest = z
  .strictObject({
    text: templateText,
    footer: templateFooter,
    base_version: z.int().min(1).optional().meta({
      description: 'The version that you changed. If it is not the latest any more, the answer is 409.',
    }),
  })
  .meta({ id: 'CreateTemplateVersionRequest' })
  .transform((body) => ({
    text: body.text,
    footer: footerOf(body.footer),
    baseVersion: body.base_version ?? null,
  }));

export const templateValues = z
  .record(
    z.string().max(limits.templateValueNameMaxLength).refine(isStorableText, notStorable),
    z.string().max(limits.templateValueMaxLength).refine(isStorableText, notStorable),
  )
  .refine((given) => Object.keys(given).length <= limits.templateValuesMax, {
    message: `must have at most ${limits.templateValuesMax} values`,
  })
  .meta({ description: 'The values of this recipient by their names.', example: { nama: 'Budi', kode: 'A-17' } });

export const previewRequest = z
  .strictObject({
    text: templateText,
    footer: templateFooter,
    rows: z
      .array(z.strictObject({ phone: phoneDestination, values: templateValues.optional() }))
      .min(1)
      .max(limits.templatePreviewRows),
  })
  .meta({ id: 'PreviewTemplateRequest' })
  .transform((body) => ({
    text: body.text,
    footer: footerOf(body.footer),
    rows: body.rows.map((row) => ({ phone: row.phone, values: row.values ?? {} })),
  }));

export const previewAnswer = z.object({
  variables: z.array(variable),
  rows: z.array(
    z.object({
      phone: z.string(),
      text: z.string().nullable().meta({ description: 'Null: nothing can be sent to this recipient.' }),
      problem: z
        .enum(['missing', 'too_long', 'empty', 'not_storable'])
        .nullable()
        .meta({
          description: `\`missing\`: a value without fallback is missing or empty. \`too_long\`: more than ${limits.messageMaxCodePoints} code points.`,
        }),
      missing: z.array(z.string()).meta({ description: 'The names of the missing values.' }),
      code_points: z.int().nullable(),
    }),
  ),
  equal_share: z.number().nullable().meta({
    description: 'The largest group of equal texts, as a part of all texts. Null: fewer than two texts.',
  }),
  warning: z.enum(['mostly_equal']).nullable(),
  advice: z.string().nullable(),
});
