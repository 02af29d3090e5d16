import type { JsonValue } from '../../json/index.ts';
import { EncodingError } from './encoding-error.ts';
import { YAML_TAGS } from './yaml-tags.ts';

const CORE = 'tag:yaml.org,2002:';

/** The tags that make any content text. */
const TEXT_TAGS: ReadonlySet<string> = new Set(['!', `${CORE}str`]);

/** Matches text that may be another type. All other text can only be text. */
const MAY_BE_OTHER = /^(?:$|[-+.~0-9yYnNtTfFoO])/;

/** Returns the full name of a tag as written in a document: `!!str`, `!mine`, `!handle!mine` or `!<full name>`. */
export function tagName(written: string, handles: ReadonlyMap<string, string>): string {
  if (written.startsWith('!<')) return written.slice(2, -1);
  const [handle = '!'] = /^!(?:[^!]*!)?/.exec(written) ?? [];
  const prefix = handles.get(handle) ?? (handle === '!!' ? CORE : handle);
  return prefix + written.slice(handle.length);
}

export interface ScalarForm {
  /** Whether it is written without quotes. */
  readonly isPlain: boolean;
  /** The full name of its tag; `''` if it has none. */
  readonly tag: string;
}

/**
 * Returns the value of a scalar.
 *
 * @throws {EncodingError} a tag without a JSON equivalent, a text that does not fit its tag, Infinity or NaN
 */
export function scalarValue(text: string, { isPlain, tag }: ScalarForm): JsonValue {
  if (TEXT_TAGS.has(tag) || (tag === '' && !isPlain)) return text;
  const found =
    tag === '' && !MAY_BE_OTHER.test(text)
      ? undefined
      : YAML_TAGS.find((each) => (tag === '' || each.tag === tag) && each.test.test(text));
  if (found === undefined) {
    if (tag === '') return text;
    throw new EncodingError(
      YAML_TAGS.some((each) => each.tag === tag)
        ? `cannot decode !!str \`${shortened(text)}\` as a ${tag.replace(CORE, '!!')}`
        : unresolved(tag),
    );
  }
  const value = found.resolve(text);
  if (typeof value === 'number' && !Number.isFinite(value)) {
    throw new EncodingError(`json: unsupported value: ${value}`);
  }
  return value;
}

/** @throws {EncodingError} if a list or an object has a tag other than its own */
export function refuseCollectionTag(tag: string, isList: boolean): void {
  const own = `${CORE}${isList ? 'seq' : 'map'}`;
  if (tag !== '' && tag !== '!' && tag !== own) throw new EncodingError(unresolved(tag));
}

/** Shortens a value as Go does in an error. */
function shortened(text: string): string {
  return text.length > 10 ? `${text.slice(0, 7)}...` : text;
}

function unresolved(tag: string): string {
  return `Unresolved tag: ${tag}`;
}
