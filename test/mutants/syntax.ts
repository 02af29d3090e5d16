import { parse } from '@babel/parser';
import { type File, type Node, VISITOR_KEYS } from '@babel/types';

/** A node on the way down from the root, the nearest parent first. */
export interface Place {
  readonly node: Node;
  readonly parents: readonly Node[];
}

/** Parses TypeScript. Only a file with JSX is parsed as such: there, `<T>() => …` begins an element. */
export function parseFile(source: string, { hasJsx = false } = {}): File {
  return parse(source, { sourceType: 'module', plugins: hasJsx ? ['typescript', 'jsx'] : ['typescript'] });
}

export function childrenOf(node: Node): Node[] {
  const fields = node as unknown as Record<string, Node | readonly (Node | null)[] | null | undefined>;
  return (VISITOR_KEYS[node.type] ?? []).flatMap((key) => [fields[key] ?? []].flat().filter(isNode));
}

function isNode(value: unknown): value is Node {
  return typeof value === 'object' && value !== null;
}

/** Every node below, parents before their children. */
export function* walk(node: Node, parents: readonly Node[] = []): Generator<Place> {
  yield { node, parents };
  const below = [node, ...parents];
  for (const child of childrenOf(node)) yield* walk(child, below);
}

/** Every node below that belongs to the same function. */
export function* walkOwn(node: Node): Generator<Node> {
  yield node;
  for (const child of childrenOf(node)) if (!isFunction(child)) yield* walkOwn(child);
}

export function isFunction({ type }: Node): boolean {
  return /Function|ObjectMethod|ClassMethod|ClassPrivateMethod/.test(type);
}

/** The text of a node. */
export function textOf(source: string, { start, end }: Node): string {
  return source.slice(start ?? 0, end ?? 0);
}

/** On one line, and not longer than people read. */
export function brief(text: string, most = 80): string {
  const line = text.replaceAll(/\s+/g, ' ').trim();
  return line.length <= most ? line : `${line.slice(0, most / 2)} … ${line.slice(-most / 2 + 3)}`;
}

/** The named functions and classes that a node stands in, joined by dots, the outermost first. */
export function enclosing(source: string, parents: readonly Node[]): string {
  return parents
    .flatMap((node, index) => nameOf(source, node, parents[index + 1]) ?? [])
    .reverse()
    .join('.');
}

function nameOf(source: string, node: Node, parent: Node | undefined): string | undefined {
  switch (node.type) {
    case 'FunctionDeclaration':
    case 'ClassDeclaration':
      return node.id?.name;
    case 'ClassMethod':
    case 'ObjectMethod':
    case 'ClassPrivateMethod':
      return textOf(source, node.key);
    case 'ArrowFunctionExpression':
    case 'FunctionExpression':
      if (parent?.type === 'VariableDeclarator') return textOf(source, parent.id);
      return parent?.type === 'ObjectProperty' ? textOf(source, parent.key) : undefined;
    default:
      return undefined;
  }
}
