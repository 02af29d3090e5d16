import type { StatusCause } from '../../lib/client/objects/index.ts';

/** A field that another manager owns, so that a server-side apply without force does not change it. */
export interface FieldConflict {
  /** Such as `metadata.labels.app`. */
  readonly field: string;
  readonly manager: string;
  /** The values of the draft and of the server; undefined for an absent field. */
  readonly mine: unknown;
  readonly theirs: unknown;
}

interface ConflictSides {
  readonly draft: unknown;
  /** The object on the server. */
  readonly present: unknown;
}

/** Reads the conflicts of a refused server-side apply; empty if the answer is about another conflict. */
export function conflictsOf(
  causes: readonly StatusCause[],
  { draft, present }: ConflictSides,
): readonly FieldConflict[] {
  return causes.flatMap(({ reason, message = '', field = '' }) => {
    if (reason !== 'FieldManagerConflict') return [];
    const [, manager = message] = /conflict with "((?:[^"\\]|\\.)*)"/.exec(message) ?? [];
    const [mine, theirs] = [valueAt(draft, field), valueAt(present, field)];
    return { field: field.replace(/^\./, ''), manager, mine, theirs };
  });
}

/** The keys of a list item in a path: `[name="main"]`, `[port=80,protocol="TCP"]`, `[="finalizer"]`, and each of them. */
const ITEM = /^\[((?:"(?:[^"\\]|\\.)*"|[^"\]])*)\]/;
const KEYS = /([^=,]*)=("(?:[^"\\]|\\.)*"|[^,]*),?/g;

/**
 * The value at a path of managed fields, such as `.spec.containers[name="main"].image`; undefined if there is none. The
 * names of fields in it may contain dots.
 */
export function valueAt(value: unknown, path: string): unknown {
  if (path === '' || typeof value !== 'object' || value === null) return path === '' ? value : undefined;
  if (Array.isArray(value)) {
    const [all = '', text = ''] = ITEM.exec(path) ?? [];
    const keys = [...text.matchAll(KEYS)];
    const item = value.find((one, at) =>
      keys.length === 0
        ? String(at) === text
        : keys.every(([, key = '', wanted]) => JSON.stringify(key === '' ? one : one?.[key]) === wanted),
    );
    return all === '' ? undefined : valueAt(item, path.slice(all.length));
  }
  for (const [key, member] of Object.entries(value)) {
    const rest = path.slice(key.length + 1);
    const isNamed = path.startsWith(`.${key}`) && /^[.[]|^$/.test(rest);
    const found = isNamed ? valueAt(member, rest) : undefined;
    if (found !== undefined) return found;
  }
  return undefined;
}

/**
 * The fields that the user removed from a draft, and that a server-side apply keeps, because other managers set them.
 * Lists whose items have names are compared by name; other lists are whole values.
 */
export function keptFields(begun: unknown, draft: unknown, result: unknown, path = ''): readonly string[] {
  if (begun === undefined || result === undefined) return [];
  if (draft === undefined) return [path];
  const parts = [partsOf(begun), partsOf(draft), partsOf(result)] as const;
  const [old, wanted, now] = parts;
  if (old === undefined || wanted === undefined || now === undefined) return [];
  return [...old]
    .flatMap(([name, value]) => keptFields(value, wanted.get(name), now.get(name), `${path}${name}`))
    .map((field) => field.replace(/^\./, ''));
}

/** The named parts of a value with the texts by which a path goes on; undefined for a value without such parts. */
function partsOf(value: unknown): ReadonlyMap<string, unknown> | undefined {
  if (Array.isArray(value)) {
    const names = value.map((item) => (item as { name?: unknown } | null)?.name);
    if (value.length === 0 || names.some((name) => typeof name !== 'string')) return undefined;
    return new Map(value.map((item, at) => [`[${names[at]}]`, item]));
  }
  if (typeof value !== 'object' || value === null) return undefined;
  return new Map(Object.entries(value).map(([name, member]) => [`.${name}`, member]));
}
