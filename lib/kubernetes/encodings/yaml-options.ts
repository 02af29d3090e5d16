import type { JsonValue } from '../../json/index.ts';

export interface ReadYaml {
  readonly value: JsonValue;
  /** What a strict reader refuses, in Go's words: `line 5: key "a" already set in map`. The last one counts. */
  readonly duplicates: readonly string[];
}
