import type { JsonValue } from '../../json/index.ts';

/**
 * The conversion of text without quotes, or with an explicit tag, to a value. It also has the shape of a tag of the
 * library `yaml`.
 */
export interface PlainTag {
  readonly tag: string;
  readonly default: true;
  readonly test: RegExp;
  readonly resolve: (text: string) => JsonValue;
}

const INTEGER = /^[-+]?(?:0[xX][\da-fA-F_]+|0[bB][01_]+|0[oO]?[0-7_]*|[1-9][\d_]*)$/;
const FLOAT = /^[-+]?(?:\.\d[\d_]*|\d[\d_]*(?:\.[\d_]*)?)(?:[eE][-+]?\d+)?$/;

/**
 * The meaning of plain text in YAML 1.1, as sigs.k8s.io/yaml reads it. `yes` and `on` are booleans, and `010` is 8.
 * Unlike in other readers of 1.1, `1:30` and `2001-01-01` are text. The caller must refuse Infinity and NaN, which
 * JSON cannot represent.
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

/** Parses an integer. A leading 0 alone also means octal. */
function integer(text: string): number {
  const plain = text.replaceAll('_', '').toLowerCase();
  const digits = plain.replace(/^[-+]/, '');
  const value = Number(/^0[0-7]/.test(digits) ? `0o${digits}` : digits);
  return plain.startsWith('-') ? 0 - value : value;
}
