// Finds the facts of one source file that the rules need, with a real parser. Comments and strings do not mislead it.
import { parseSync, Visitor } from 'rolldown/utils';

/**
 * `imports` holds every module that the file names in any way; `specifier` is null where it is computed.
 * Each fact has its line. `compared`: texts that something is compared with, by an operator or a case.
 */
export function readFacts(path, text) {
  const { program, errors } = parseSync(path, text);
  const facts = {
    errors: errors.map((error) => ({ line: lineAt(text, error.labels?.[0]?.start ?? 0), message: error.message })),
    imports: [],
    exportStars: [],
    enums: [],
    environment: [],
    compared: [],
  };
  const line = (node) => lineAt(text, node.start);
  const addImport = (node, source, typeOnly = false) =>
    facts.imports.push({ line: line(node), specifier: literal(source), typeOnly });

  const addCompared = (node, ...sides) => {
    for (const value of sides.map(literal)) if (value !== null) facts.compared.push({ line: line(node), value });
  };

  new Visitor({
    ImportDeclaration(node) {
      addImport(node, node.source, node.importKind === 'type');
      const names = node.specifiers.map((specifier) => specifier.imported?.name);
      if (/^(node:)?process$/.test(node.source.value) && names.includes('env')) facts.environment.push(line(node));
    },
    ExportNamedDeclaration(node) {
      if (node.source) addImport(node, node.source, node.exportKind === 'type');
    },
    ExportAllDeclaration(node) {
      addImport(node, node.source, node.exportKind === 'type');
      facts.exportStars.push(line(node));
    },
    ImportExpression: (node) => addImport(node, node.source),
    TSImportType: (node) => addImport(node, node.source ?? node.argument, true),
    TSImportEqualsDeclaration(node) {
      if (node.moduleReference.expression) addImport(node, node.moduleReference.expression);
    },
    CallExpression(node) {
      if (node.callee.type === 'Identifier' && node.callee.name === 'require') addImport(node, node.arguments[0]);
    },
    BinaryExpression(node) {
      if (/^[!=]==?$/.test(node.operator)) addCompared(node, node.left, node.right);
    },
    SwitchCase: (node) => addCompared(node, node.test),
    TSEnumDeclaration: (node) => facts.enums.push(line(node)),
    MemberExpression(node) {
      if (propertyName(node) === 'env' && isProcess(node.object)) facts.environment.push(line(node));
    },
    VariableDeclarator(node) {
      const names = node.id.type === 'ObjectPattern' ? node.id.properties.map((property) => property.key?.name) : [];
      if (names.includes('env') && isProcess(node.init)) facts.environment.push(line(node));
    },
  }).visit(program);
  return facts;
}

const literal = (node) => (node?.type === 'Literal' && typeof node.value === 'string' ? node.value : null);

const propertyName = ({ computed, property }) => (computed ? literal(property) : property.name);

/** `process` itself, or `globalThis.process`. */
const isProcess = (node) =>
  (node?.type === 'Identifier' && node.name === 'process') ||
  (node?.type === 'MemberExpression' && propertyName(node) === 'process');

function lineAt(text, offset) {
  let line = 1;
  for (let at = text.indexOf('\n'); at !== -1 && at < offset; at = text.indexOf('\n', at + 1)) line += 1;
  return line;
}
