import { type ScalarTag, stringify, type Tags } from 'yaml';
import { stringifyString } from 'yaml/util';
import type { JsonValue } from '../../json/index.ts';
import { YAML_TAGS } from './yaml-tags.ts';

/**
 * Matches text that must be escaped. Readers take it for a merge, a default value, another document or a line break,
 * or refuse it.
 */
const ESCAPED = /^(?:<<|=|---|\.\.\.)$|[\u007f-\u009f\u2028\u2029\ufeff\ufffe\uffff]/;
const UNPRINTABLE = /[\u007f-\u009f\u2028\u2029\ufeff\ufffe\uffff]/g;

/** The tag of strings. It escapes text so that all readers agree on its value. */
const TEXT: ScalarTag = {
  tag: 'tag:yaml.org,2002:str',
  default: true,
  identify: (value) => typeof value === 'string',
  resolve: (text) => text,
  stringify: (item, context, onComment, onChompKeep) => {
    const text = String(item.value);
    return ESCAPED.test(text)
      ? JSON.stringify(text).replaceAll(UNPRINTABLE, escaped)
      : stringifyString({ ...item, value: text }, { ...context, actualString: true }, onComment, onChompKeep);
  },
};

/**
 * Formats a JSON value as YAML that readers of YAML 1.1 and 1.2 read as the same value. The style is that of
 * sigs.k8s.io/yaml: sorted keys, lists not indented below their keys, no folded lines.
 */
export function stringifyYaml(value: JsonValue): string {
  return stringify(value, {
    version: '1.1',
    schema: 'yaml-1.1',
    compat: 'core',
    // Text that any of them would read as another type is quoted.
    customTags: (tags) => [TEXT, ...tags.filter((tag) => !isMerge(tag)), ...YAML_TAGS],
    sortMapEntries: true,
    indentSeq: false,
    lineWidth: 0,
    aliasDuplicateObjects: false,
  });
}

function isMerge(tag: Tags[number]): boolean {
  return typeof tag === 'string' ? tag === 'merge' : tag.tag === 'tag:yaml.org,2002:merge';
}

function escaped(char: string): string {
  return `\\u${char.charCodeAt(0).toString(16).padStart(4, '0')}`;
}
