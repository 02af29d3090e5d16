import { isJsonObject, type JsonValue } from '../../../json/index.ts';

/** One step of a path, which maps a value to the values at that step. */
type Step = (value: JsonValue) => JsonValue[];

/** Finds the values at a path; none if the path leads outside the value. */
export type JsonPath = (value: JsonValue) => JsonValue[];

/**
 * Parses a path of a printer column (k8s.io/client-go/util/jsonpath): names (`.spec.color`, `['a.b']`), indexes and
 * ranges (`[0]`, `[-1]`, `[0:2]`), `[*]`, `..name`, and filters (`[?(@.type=="Ready")]`). Returns undefined for any
 * other text.
 */
export function parseJsonPath(text: string): JsonPath | undefined {
  const found = [...text.matchAll(STEP)];
  const read = found.reduce((length, [step]) => length + step.length, 0);
  const steps = found.map(({ groups = {} }) => stepOf(groups));
  if (read < text.length || !steps.every((step) => step !== undefined)) return undefined;
  return (value) => steps.reduce<JsonValue[]>((values, step) => values.flatMap(step), [value]);
}

/** Matches one step. It is sticky: a step begins where the last one ended. A dot alone is the whole value. */
const STEP =
  /\.\.(?<deep>[^.[\]\s]+)|\.?\[(?<all>\*)\]|\.(?<star>\*)|\.?\['(?<quoted>[^']*)'\]|\.?\["(?<double>[^"]*)"\]|\.?\[\?\((?<filter>(?:"[^"]*"|'[^']*'|[^)"'])*)\)\]|\.?\[(?<range>-?\d*(?::-?\d*)?)\]|\.(?<name>(?:\\.|[^.[\]\s\\])+)|\.$/gy;

function stepOf(groups: Readonly<Record<string, string | undefined>>): Step | undefined {
  const { deep, all, star, quoted, double, filter, range, name } = groups;
  if (deep !== undefined) return (value) => deepValues(value, deep);
  if (all !== undefined || star !== undefined) return members;
  if (filter !== undefined) return filterOf(filter);
  if (range !== undefined) return rangeOf(range);
  const own = quoted ?? double ?? name?.replaceAll(/\\(.)/g, '$1');
  return own === undefined ? (value) => [value] : (value) => memberOf(value, own);
}

function memberOf(value: JsonValue, name: string): JsonValue[] {
  return isJsonObject(value) && Object.hasOwn(value, name) ? [value[name] ?? null] : [];
}

function members(value: JsonValue): JsonValue[] {
  if (Array.isArray(value)) return value;
  return isJsonObject(value) ? Object.values(value) : [];
}

function deepValues(value: JsonValue, name: string): JsonValue[] {
  return [...memberOf(value, name), ...members(value).flatMap((each) => deepValues(each, name))];
}

function rangeOf(range: string): Step | undefined {
  const [from = '', to] = range.split(':');
  if (to === undefined) {
    return from === ''
      ? undefined
      : (value) => (Array.isArray(value) ? value.slice(Number(from)).slice(0, 1) : []);
  }
  const end = to === '' ? undefined : Number(to);
  return (value) => (Array.isArray(value) ? value.slice(Number(from), end) : []);
}

const FILTER =
  /^\s*@(?<path>[^=!<>\s]*)\s*(?:(?<operator>==|!=|<=|>=|<|>)\s*(?<literal>"[^"]*"|'[^']*'|[^\s]+)\s*)?$/;

/** Returns a step that selects elements for which a comparison holds, or that have the named value. */
function filterOf(text: string): Step | undefined {
  const { path = '', operator, literal = '' } = FILTER.exec(text)?.groups ?? {};
  const find = parseJsonPath(path === '' ? '.' : path);
  if (find === undefined || FILTER.exec(text) === null) return undefined;
  const wanted = literalOf(literal);
  const holds = (value: JsonValue) => {
    const [found] = find(value);
    return found !== undefined && (operator === undefined || compares(found, operator, wanted));
  };
  return (value) => members(value).filter(holds);
}

function literalOf(text: string): JsonValue {
  const quoted = /^(["'])(.*)\1$/.exec(text);
  if (quoted !== null) return quoted[2] ?? '';
  if (text === 'true' || text === 'false') return text === 'true';
  return Number.isNaN(Number(text)) ? text : Number(text);
}

function compares(found: JsonValue, operator: string, wanted: JsonValue): boolean {
  if (operator === '==') return found === wanted;
  if (operator === '!=') return found !== wanted;
  if (typeof found !== typeof wanted || found === null || wanted === null) return false;
  switch (operator) {
    case '<':
      return found < wanted;
    case '<=':
      return found <= wanted;
    case '>':
      return found > wanted;
    default:
      return found >= wanted;
  }
}
