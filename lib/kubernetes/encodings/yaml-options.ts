import type { JsonValue } from '../../json/index.ts';

export interface ReadYaml {
  readonly value: JsonValue;
  /**
   * The duplicate keys, which a strict reader refuses, in Go's words: `line 5: key "a" already set in map`. The last
   * value of a key counts.
   */
  readonly duplicates: readonly string[];
}
