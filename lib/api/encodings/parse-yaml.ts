import { type Document, isScalar, LineCounter, type Pair, parseAllDocuments, visit } from 'yaml';
import type { JsonValue } from '../../store/index.ts';
import { EncodingError } from './encoding-error.ts';
import type { ReadYaml } from './read-yaml.ts';
import { YAML_TAGS } from './yaml-tags.ts';

/** How often one anchor may be said again, counted with what it holds. */
const MOST_ALIASES = 100;

/**
 * The first document of a YAML stream, as {@link readYaml} answers it.
 *
 * @throws {EncodingError}
 */
export function parseYaml(body: Uint8Array): ReadYaml {
  const lines = new LineCounter();
  const text = textOf(body);
  const [document] = parseAllDocuments(text, {
    schema: 'failsafe',
    version: '1.1',
    customTags: YAML_TAGS,
    merge: true,
    uniqueKeys: false,
    prettyErrors: false,
    lineCounter: lines,
    logLevel: 'silent',
  }) as Document.Parsed[];
  if (document === undefined) return { value: null, duplicates: [] };
  refuseErrors(document, { lines, text });
  const duplicates = duplicatesOf(document, lines);
  return { value: toJson(document), duplicates };
}

function textOf(body: Uint8Array): string {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(body);
  } catch {
    throw new EncodingError('yaml: invalid leading UTF-8 octet');
  }
}

interface Source {
  readonly lines: LineCounter;
  readonly text: string;
}

/** A warning is of a tag that nobody knows. */
function refuseErrors({ errors, warnings }: Document.Parsed, { lines, text }: Source): void {
  const [error] = [...errors, ...warnings];
  if (error === undefined) return;
  const nested = error.code === 'BLOCK_AS_IMPLICIT_KEY';
  const [start] = error.pos;
  // The mapping that may not be there begins with its key; what Kubernetes' reader stumbles over is the colon.
  const colon = text.slice(start).search(/:(\s|$)/);
  const { line } = lines.linePos(nested && colon >= 0 ? start + colon : start);
  const words = nested ? 'mapping values are not allowed in this context' : error.message;
  throw new EncodingError(`yaml: line ${line}: ${words}`);
}

function duplicatesOf(document: Document, lines: LineCounter): string[] {
  const found: string[] = [];
  visit(document, {
    Map: (_, { items }) => {
      const seen = new Set<string>();
      for (const { key } of items as Pair[]) {
        if (!isScalar(key) || key.value === null) throw new EncodingError('yaml: a key is no text');
        if (typeof key.value === 'symbol') continue;
        const name = String(key.value);
        const { line } = lines.linePos(key.range?.[0] ?? 0);
        if (seen.has(name)) found.push(`line ${line}: key ${JSON.stringify(name)} already set in map`);
        seen.add(name);
      }
    },
  });
  return found;
}

function toJson(document: Document): JsonValue {
  const value = read(() => document.toJS({ maxAliasCount: MOST_ALIASES }) as JsonValue);
  const open: JsonValue[] = [value];
  for (let next = open.pop(); next !== undefined; next = open.pop()) {
    if (typeof next === 'number' && !Number.isFinite(next)) {
      throw new EncodingError(`json: unsupported value: ${next}`);
    }
    if (typeof next === 'object' && next !== null) open.push(...Object.values(next));
  }
  return value;
}

function read(act: () => JsonValue): JsonValue {
  try {
    return act();
  } catch (error) {
    throw new EncodingError(`yaml: ${error instanceof Error ? error.message : String(error)}`);
  }
}
