import { expect, test } from 'vitest';
import { useDatabaseFixture } from '../../test/database-fixture.js';
import { archiveTemplate, createTemplate, createTemplateVersion } from './change-template.js';
import { listTemplates, listTemplateVersions, readTemplate, readTemplateVersion } from './read-templates.js';

const fixture = useDatabaseFixture();
const createdBy = 'kk_test_1';

async function made(name = 'Promo') {
  const { accountId } = await fixture().tenant();
  const id = await createTemplate(fixture().database, { accountId, name, text: 'v1', footer: 'STOP', createdBy });
  if (id === 'name-taken') throw new Error('the name is taken');
  return { accountId, templateId: id };
}

const add = (template: Awaited<ReturnType<typeof made>>, text: string, baseVersion: number | null) =>
  createTemplateVersion(fixture().database, template, { text, footer: null, createdBy, baseVersion });

test('of crossing changes to one version, one succeeds and the others hear of it', async () => {
  const template = await made();
  const outcomes = await Promise.all(['a', 'b', 'c', 'd'].map((text) => add(template, text, 1)));
  expect(outcomes.toSorted()).toEqual(['changed', 'changed', 'changed', 'created']);
  expect(await readTemplate(fixture().database, template.accountId, template.templateId)).toMatchObject({ version: 2 });
});

test('crossing changes without a base follow each other without gaps', async () => {
  const template = await made();
  await Promise.all(Array.from({ length: 8 }, (_, i) => add(template, `text ${i}`, null)));
  const page = { templateId: template.templateId, limit: 5, cursor: null };
  const first = await listTemplateVersions(fixture().database, template.accountId, page);
  expect(first.versions.map(({ version }) => version)).toEqual([9, 8, 7, 6, 5]);
  const second = await listTemplateVersions(fixture().database, template.accountId, {
    ...page,
    cursor: first.nextCursor,
  });
  expect(second.versions.map(({ version, text }) => [version, version === 1 ? text : ''])).toEqual([
    [4, ''],
    [3, ''],
    [2, ''],
    [1, 'v1'],
  ]);
  expect(second.nextCursor).toBeNull();
});

test('a version never changes', async () => {
  const { templateId } = await made();
  const change = fixture().query(`UPDATE template_versions SET text = 'other' WHERE template_id = $1`, [templateId]);
  await expect(change).rejects.toThrow('never changes');
});

test('of crossing templates with one name, one is stored', async () => {
  const { accountId } = await fixture().tenant();
  const fields = { accountId, name: 'Promo', text: 'x', footer: null, createdBy };
  const ids = await Promise.all([1, 2, 3].map(() => createTemplate(fixture().database, fields)));
  expect(ids.filter((id) => id === 'name-taken')).toHaveLength(2);
});

test('an archived template can be read and nothing else, and its name is free', async () => {
  const template = await made();
  const { accountId, templateId } = template;
  const { database } = fixture();
  const crossing = await Promise.all([archiveTemplate(database, template), archiveTemplate(database, template)]);
  expect(crossing.toSorted()).toEqual([false, true]);
  expect(await add(template, 'v2', null)).toBe('not-found');
  expect((await listTemplates(database, accountId, { limit: 5, cursor: null })).templates).toEqual([]);
  expect((await readTemplate(database, accountId, templateId))?.archivedAt).toBeInstanceOf(Date);
  // A broadcast that began before still finds its text.
  expect(await readTemplateVersion(database, accountId, { templateId, version: 1 })).toEqual({
    text: 'v1',
    footer: 'STOP',
  });
  const again = { accountId, name: 'Promo', text: 'x', footer: null, createdBy };
  expect(await createTemplate(database, again)).toMatch(/^tpl_/);
});

test('the template of another account is as unknown as one that does not exist', async () => {
  const { templateId } = await made();
  const other = { accountId: (await fixture().tenant()).accountId, templateId };
  const { database } = fixture();
  expect(await readTemplate(database, other.accountId, templateId)).toBeNull();
  expect(await readTemplateVersion(database, other.accountId, { templateId, version: 1 })).toBeNull();
  const page = { templateId, limit: 5, cursor: null };
  expect((await listTemplateVersions(database, other.accountId, page)).versions).toEqual([]);
  expect(await add(other, 'x', 1)).toBe('not-found');
  expect(await archiveTemplate(database, other)).toBe(false);
});
