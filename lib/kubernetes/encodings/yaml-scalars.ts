import type { JsonValue } from '../../json/index.ts';
import { EncodingError } from './encoding-error.ts';
import { YAML_TAGS } from './yaml-tags.ts';

const CORE = 'tag:yaml.org,2002:';

/** Text, whatever it looks like. */
const TEXT_TAGS: ReadonlySet<string> = new Set(['!', `${CORE}str`]);

/** Text that begins otherwise is nothing but text. */
const MAY_BE_OTHER = /^(?:$|[-+.~0-9yYnNtTfFoO])/;

/** The full name of a tag as a document writes it: `!!str`, `!mine`, `!handle!mine` or `!<full name>`. */
export function tagName(written: string, handles: ReadonlyMap<string, string>): string {
  if (written.startsWith('!<')) return written.slice(2, -1);
  const [handle = '!'] = /^!(?:[^!]*!)?/.exec(written) ?? [];
  const prefix = handles.get(handle) ?? (handle === '!!' ? CORE : handle);
  return prefix + written.slice(handle.length);
}

export interface ScalarForm {
  /** Written without quotes. */
  readonly isPlain: boolean;
  /** The full name of its tag, `''` where it has none. */
  readonly tag: string;
}

/**
 * What a scalar means.
 *
 * @throws {EncodingError} a tag that JSON has nothing for, or that the text does not fit; Infinity and NaN
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

/** @throws {EncodingError} a list or an object has a tag other than its own */
export function refuseCollectionTag(tag: string, isList: boolean): void {
  const own = `${CORE}${isList ? 'seq' : 'map'}`;
  if (tag !== '' && tag !== '!' && tag !== own) throw new EncodingError(unresolved(tag));
}

/** As Go shows a value in an error. */
function shortened(text: string): string {
  return text.length > 10 ? `${text.slice(0, 7)}...` : text;
}

function unresolved(tag: string): string {
  return `Unresolved tag: ${tag}`;
}
