import { readFile } from 'node:fs/promises';
import { join, posix } from 'node:path';
import type { CallExpression, Node } from '@babel/types';
import { childrenOf, parseFile } from '../../mutants/syntax.ts';

/** One file of the project, as the architecture check sees it. Paths begin at the project's root. */
export interface SourceFile {
  readonly path: string;
  readonly lines: number;
  readonly imports: readonly Import[];
  readonly ambient: readonly AmbientUse[];
}

/** One `import`, `export … from`, `import(…)` or `import('…')` type. */
export interface Import {
  /** A path from the project's root, the name of a package, or a module of Node such as `node:crypto`. */
  readonly target: string;
  readonly line: number;
  /** Whether it is an `export … from`, which publishes the target, or an `import(…)`, which loads it on demand. */
  readonly how: 'import' | 'export' | 'load';
}

/** A use of the clock, of chance, of the process or of the network that no argument gave, such as `Date.now()`. */
export interface AmbientUse {
  readonly name: string;
  readonly line: number;
}

const GLOBALS = ['setTimeout', 'setInterval', 'setImmediate', 'performance', 'crypto', 'process', 'fetch'];
const CALLS = ['Date.now', 'Math.random', 'AbortSignal.timeout', 'randomUUID', 'randomBytes', 'randomInt'];

export async function readSourceFile(root: string, path: string): Promise<SourceFile> {
  return parseSourceFile(path, await readFile(join(root, path), 'utf8'));
}

/** @throws {SyntaxError} the text is not TypeScript */
export function parseSourceFile(path: string, source: string): SourceFile {
  const imports: Import[] = [];
  const ambient: AmbientUse[] = [];
  const declared = new Set<string>();
  const visit = (node: Node, parent: Node | undefined): void => {
    const line = node.loc?.start.line ?? 0;
    const specifier = specifierOf(node);
    if (specifier !== undefined) {
      imports.push({ target: targetOf(path, specifier), line, how: howOf(node) });
    }
    const name = ambientName(node, parent);
    if (name !== undefined) ambient.push({ name, line });
    if (node.type === 'Identifier' && isDeclaration(node, parent)) declared.add(node.name);
    for (const child of childrenOf(node)) visit(child, node);
  };
  visit(parseFile(source, { hasJsx: path.endsWith('.tsx') }), undefined);
  const lines = source.split('\n').length - 1;
  return { path, lines, imports, ambient: ambient.filter(({ name }) => !declared.has(name)) };
}

function targetOf(path: string, specifier: string): string {
  return specifier.startsWith('.') ? posix.join(posix.dirname(path), specifier) : specifier;
}

function specifierOf(node: Node): string | undefined {
  switch (node.type) {
    case 'ImportDeclaration':
    case 'ExportAllDeclaration':
    case 'ExportNamedDeclaration':
      return node.source?.value;
    case 'CallExpression':
      return node.callee.type === 'Import' ? literal(node.arguments[0]) : undefined;
    case 'TSImportType':
      return literal(node.argument);
    default:
      return undefined;
  }
}

function howOf({ type }: Node): Import['how'] {
  if (type === 'CallExpression') return 'load';
  return type === 'ExportAllDeclaration' || type === 'ExportNamedDeclaration' ? 'export' : 'import';
}

function literal(node: Node | undefined): string | undefined {
  return node?.type === 'StringLiteral' ? node.value : undefined;
}

function ambientName(node: Node, parent: Node | undefined): string | undefined {
  switch (node.type) {
    case 'CallExpression':
      return CALLS.includes(calleeName(node)) ? `${calleeName(node)}()` : undefined;
    case 'NewExpression': {
      const isNow = node.callee.type === 'Identifier' && node.callee.name === 'Date';
      return isNow && node.arguments.length === 0 ? 'new Date()' : undefined;
    }
    case 'Identifier':
      return GLOBALS.includes(node.name) && isReference(node, parent) ? node.name : undefined;
    default:
      return undefined;
  }
}

function calleeName({ callee }: CallExpression): string {
  if (callee.type === 'Identifier') return callee.name;
  if (callee.type !== 'MemberExpression' || callee.object.type !== 'Identifier') return '';
  return callee.property.type === 'Identifier' ? `${callee.object.name}.${callee.property.name}` : '';
}

/** Not the name of a member: that is not the global of the same name. */
function isReference(node: Node, parent: Node | undefined): boolean {
  switch (parent?.type) {
    case 'MemberExpression':
    case 'OptionalMemberExpression':
      return parent.computed || parent.property !== node;
    case 'ObjectProperty':
      return parent.computed || parent.key !== node;
    case 'PrivateName':
      return false;
    case 'ObjectMethod':
    case 'ClassMethod':
    case 'ClassProperty':
    case 'TSPropertySignature':
    case 'TSMethodSignature':
      return parent.key !== node;
    default:
      return true;
  }
}

function isDeclaration(node: Node, parent: Node | undefined): boolean {
  switch (parent?.type) {
    case 'VariableDeclarator':
    case 'FunctionDeclaration':
      return parent.id === node;
    case 'ImportSpecifier':
      return parent.local === node;
    default:
      return false;
  }
}
