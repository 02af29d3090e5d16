import { glob, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Comment, Node } from '@babel/types';
import { childrenOf, parseFile } from '../../mutants/syntax.ts';
import { type Fault, faultsOfSentence, faultsOfWords, sentencesOf, sentencesOfMarkdown } from './prose.ts';

/** A fault and the file that it is in. */
export interface Found extends Fault {
  readonly path: string;
}

/** Texts of one kind, and the rules that hold for them. */
export interface Corpus {
  readonly files: readonly string[];
  faultsIn(source: string, path: string): readonly Fault[];
}

const CODE = ['lib/**/*.ts', 'functions/**/*.ts', 'infra/**/*.ts', 'cli/**/*.ts', 'console/**/*.{ts,tsx}'];
/** Pages that quote other projects, or record history. */
const QUOTED = ['CHANGELOG.md'];

export const CORPORA = {
  docs: {
    files: ['README.md', 'CONTRIBUTING.md', 'docs/**/*.md', '{lib,infra,examples,test,console}/**/README.md'],
    faultsIn: faultsInMarkdown,
  },
  comments: { files: [...CODE, 'examples/**/*.ts'], faultsIn: faultsInComments },
  messages: { files: CODE, faultsIn: faultsInMessages },
  'test titles': { files: ['test/**/*.test.ts'], faultsIn: faultsInTitles },
} satisfies Record<string, Corpus>;

export async function faultsOf({ files, faultsIn }: Corpus, root: string): Promise<readonly Found[]> {
  const found: Found[] = [];
  for await (const path of glob(files, { cwd: root, exclude: (name) => /node_modules|dist/.test(name) })) {
    if (QUOTED.includes(path)) continue;
    const source = await readFile(join(root, path), 'utf8');
    found.push(...faultsIn(source, path).map((fault) => ({ ...fault, path })));
  }
  return found;
}

function faultsInMarkdown(source: string): readonly Fault[] {
  return sentencesOfMarkdown(source).flatMap(faultsOfSentence);
}

function faultsInComments(source: string, path: string): readonly Fault[] {
  const { comments } = parseFile(source, { hasJsx: path.endsWith('x') });
  return paragraphsOf(comments ?? [])
    .flatMap(sentencesOf)
    .flatMap(faultsOfWords);
}

/** Line comments that follow each other are one text. */
function paragraphsOf(comments: readonly Comment[]): readonly string[] {
  const texts: string[] = [];
  let last = -2;
  for (const { type, value, loc } of comments) {
    const text = value.replace(/^[ *]+/gm, '');
    const goesOn = type === 'CommentLine' && loc?.start.line === last + 1;
    texts.push(...(goesOn ? [`${texts.pop()} ${text}`] : text.split(/\n\n|\n(?=@)/)));
    last = loc?.end.line ?? -2;
  }
  return texts;
}

function faultsInMessages(source: string, path: string): readonly Fault[] {
  return [...literalsOf(parseFile(source, { hasJsx: path.endsWith('x') }))]
    .filter((text) => text.includes(' '))
    .flatMap(sentencesOf)
    .flatMap(faultsOfWords);
}

function* literalsOf(node: Node): Generator<string> {
  if (node.type === 'StringLiteral' || node.type === 'JSXText') yield node.value;
  if (node.type === 'TemplateLiteral') yield node.quasis.map(({ value }) => value.cooked).join('X');
  for (const child of childrenOf(node)) yield* literalsOf(child);
}

/** The first argument of `describe`, `it` and `it.each(…)`. */
function faultsInTitles(source: string): readonly Fault[] {
  return [...titlesOf(parseFile(source))].flatMap(faultsOfWords);
}

function* titlesOf(node: Node): Generator<string> {
  if (node.type === 'CallExpression' && /^(?:describe|it|test)$/.test(nameOf(node.callee))) {
    const [title] = node.arguments;
    if (title?.type === 'StringLiteral') yield title.value;
    if (title?.type === 'TemplateLiteral') yield title.quasis.map(({ value }) => value.cooked).join('X');
  }
  for (const child of childrenOf(node)) yield* titlesOf(child);
}

/** `it` of `it`, `it.only` and `it.each(…)`. */
function nameOf(node: Node): string {
  if (node.type === 'Identifier') return node.name;
  if (node.type === 'MemberExpression') return nameOf(node.object);
  return node.type === 'CallExpression' ? nameOf(node.callee) : '';
}
