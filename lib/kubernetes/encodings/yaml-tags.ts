import type { JsonValue } from '../../json/index.ts';

/** How text without quotes, or with an explicit tag, becomes a value. Its shape is also a tag of the library `yaml`. */
export interface PlainTag {
  readonly tag: string;
  readonly default: true;
  readonly test: RegExp;
  readonly resolve: (text: string) => JsonValue;
}

const INTEGER = /^[-+]?(?:0[xX][\da-fA-F_]+|0[bB][01_]+|0[oO]?[0-7_]*|[1-9][\d_]*)$/;
const FLOAT = /^[-+]?(?:\.\d[\d_]*|\d[\d_]*(?:\.[\d_]*)?)(?:[eE][-+]?\d+)?$/;

/**
 * What plain text means in YAML 1.1 as sigs.k8s.io/yaml reads it: `yes` and `on` are booleans, `010` is 8, and
 * unlike in other readers of 1.1 `1:30` and `2001-01-01` are text. Infinity and NaN, which JSON cannot say, are for
 * the caller to refuse.
 */
export const YAML_TAGS: PlainTag[] = [
  {
    tag: 'tag:yaml.org,2002:null',
    default: true,
    test: /^(?:|~|null|Null|NULL)$/,
    resolve: () => null,
  },
  {
    tag: 'tag:yaml.org,2002:bool',
    default: true,
    test: /^(?:[yYnN]|yes|Yes|YES|no|No|NO|true|True|TRUE|false|False|FALSE|on|On|ON|off|Off|OFF)$/,
    resolve: (text) => /^(?:y|yes|true|on)$/i.test(text),
  },
  {
    tag: 'tag:yaml.org,2002:int',
    default: true,
    test: INTEGER,
    resolve: integer,
  },
  {
    tag: 'tag:yaml.org,2002:float',
    default: true,
    test: FLOAT,
    resolve: (text) => Number(text.replaceAll('_', '')),
  },
  {
    tag: 'tag:yaml.org,2002:float',
    default: true,
    test: /^(?:[-+]?\.(?:inf|Inf|INF)|\.(?:nan|NaN|NAN))$/,
    resolve: (text) => (text.toLowerCase() === '.nan' ? Number.NaN : Number.POSITIVE_INFINITY),
  },
];

/** A leading 0 alone says octal too. */
function integer(text: string): number {
  const plain = text.replaceAll('_', '').toLowerCase();
  const digits = plain.replace(/^[-+]/, '');
  const value = Number(/^0[0-7]/.test(digits) ? `0o${digits}` : digits);
  return plain.startsWith('-') ? 0 - value : value;
}
