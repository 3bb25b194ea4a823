/** The page docs/operations.md: who may use each operation, and what the operation adds to the audit log. */
import { operationNames, routeTable } from '../operations/route-table.js';
import type { OperationEntry } from '../http/operation-entry.js';

const head = `# Operations

This page is generated from the route table (\`npm run generate\`). A program signs its requests with a key that has the
scope. A person uses the session of the dashboard and needs the role. Each role includes the one before it: agent, viewer,
developer, owner. Only an agent may also use operations with "agent in a conversation", which a viewer may not. \`admin\` is
an operator of the gateway. "(people)" means that only a person's use is audited: a message that a key sends is its own
record.

A test key may use an operation "sandbox" for devices of a sandbox network and what belongs to them, "any" without bounds,
and "never" not at all.

| operation | method and path | scope of a key | test key | role of a person | audit |
|---|---|---|---|---|---|
`;

const auditOf = ({ audit }: OperationEntry): string => {
  if (audit === null) return '–';
  const actions = audit.actions.map((action) => `\`${action}\``).join(', ');
  return audit.whose === 'people' ? `${actions} (people)` : actions;
};

function rowOf(name: (typeof operationNames)[number]): string {
  const entry: OperationEntry = routeTable[name];
  const { method, path, scope, testKeys = '–', access, agents, confirmed } = entry;
  const needs = { true: ', second factor', always: ', confirmed', undefined: '' }[String(confirmed)] ?? '';
  const role = access === null ? '–' : `${access}${agents === true ? ', or agent in a conversation' : ''}${needs}`;
  const cells = [
    name,
    `\`${method} ${path}\``,
    scope === undefined ? '–' : `\`${scope}\``,
    testKeys,
    role,
    auditOf(entry),
  ];
  return `| ${cells.join(' | ')} |\n`;
}

export const operationTable = (): string => head + operationNames.map(rowOf).join('');
