import type { ASTNode, Environment } from '@marcbachmann/cel-js';
import type { CelLibrary } from './cel-library.ts';
import { ACCEPTED_FUNCTIONS, DECLARED, METERED, nameInEnvironment } from './functions.ts';
import { RuleError } from './rule-error.ts';

/** An expression in the form that is evaluated. */
export interface ReadRule {
  /** The expression with the environment's function names, and with metered comprehensions. */
  readonly text: string;
  /**
   * The expression with a call in place of each `has`. The library does not check whether the field of a `has` is
   * declared.
   */
  readonly checked: string;
  readonly usesOldSelf: boolean;
}

/** Functions that evaluate an expression for each element of their receiver. */
const COMPREHENSIONS: ReadonlySet<string> = new Set(['all', 'exists', 'exists_one', 'map', 'filter']);
/** The number of decimal digits that survive serialization. */
const DECIMALS = 9;

/** A node of the parser's tree, which may be changed before serialization. */
interface Node {
  readonly op: string;
  args: unknown;
  readonly start: number;
}

/**
 * Parses an expression, refuses unsupported features, and rewrites it for the environment.
 *
 * @throws {RuleError} with the position in the text
 */
export function readRule({ serialize }: CelLibrary, environment: Environment, text: string): ReadRule {
  const ast = parse(environment, text);
  const reader = new RuleReader(environment, text);
  reader.visit(ast as Node);
  const evaluated = withWholeCharacters(serialize(ast));
  reader.declareHas();
  return {
    text: evaluated,
    checked: withWholeCharacters(serialize(ast)),
    usesOldSelf: reader.usesOldSelf,
  };
}

/**
 * Joins escapes of surrogate pairs. The library writes a character beyond 16 bits as two escapes, which it cannot
 * read.
 */
function withWholeCharacters(text: string): string {
  return text.replace(
    /\\u(d[89ab][0-9a-f]{2})\\u(d[c-f][0-9a-f]{2})/gi,
    (_both, high: string, low: string) => {
      const character = String.fromCharCode(Number.parseInt(high, 16), Number.parseInt(low, 16));
      return `\\U${(character.codePointAt(0) ?? 0).toString(16).padStart(8, '0')}`;
    },
  );
}

function parse(environment: Environment, text: string): ASTNode {
  try {
    return environment.parse(text).ast;
  } catch (error) {
    throw RuleError.of(error, text);
  }
}

class RuleReader {
  usesOldSelf = false;
  readonly #environment: Environment;
  readonly #text: string;
  readonly #has: unknown[][] = [];

  constructor(environment: Environment, text: string) {
    this.#environment = environment;
    this.#text = text;
  }

  visit(node: Node): void {
    if (node.op === 'id' && node.args === 'oldSelf') this.usesOldSelf = true;
    if (node.op === 'value') this.#literal(node);
    for (const below of nodesIn(node.args)) this.visit(below);
    if (node.op === 'call' || node.op === 'rcall') this.#call(node);
  }

  #call(node: Node): void {
    const parts = node.args as unknown[];
    const name = String(parts[0]);
    if (!ACCEPTED_FUNCTIONS.has(name)) {
      const why = KUBERNETES_ONLY.has(name)
        ? `function '${name}' is not supported here`
        : `undeclared reference to '${name}' (in container '')`;
      throw RuleError.at(why, this.#text, node.start);
    }
    parts[0] = nameInEnvironment(name);
    if (name === 'has') this.#has.push(parts);
    if (node.op === 'rcall' && COMPREHENSIONS.has(name)) parts[1] = this.#metered(parts[1]);
  }

  declareHas(): void {
    for (const parts of this.#has) parts[0] = DECLARED;
  }

  #metered(range: unknown): unknown {
    const call = this.#environment.parse(`${METERED}(0)`).ast as Node;
    const [, operands] = call.args as [string, unknown[]];
    operands[0] = range;
    return call;
  }

  #literal({ args, start }: Node): void {
    if (typeof args !== 'number' || Number(args.toFixed(DECIMALS)) === args) return;
    const detail = `number literals have ${DECIMALS} digits behind the point at most`;
    throw RuleError.at(detail, this.#text, start);
  }
}

/**
 * Functions of Kubernetes' environment that Winnow does not support. They are distinguished from unknown functions.
 */
const KUBERNETES_ONLY: ReadonlySet<string> = new Set([
  ...['uint', 'bytes', 'duration', 'format', 'find', 'findAll', 'url', 'cidr', 'sets', 'bind', 'optMap'],
  ...['optFlatMap', 'isInteger', 'asInteger', 'asApproximateFloat', 'sign', 'add', 'sub', 'reverse'],
  ...['getHost', 'getHostname', 'getPort', 'getScheme', 'getEscapedPath', 'getQuery', 'contained'],
  ...['containsIP', 'containsCIDR', 'prefixLength', 'masked', 'isCanonical', 'isUnspecified'],
  ...['isLoopback', 'isGlobalUnicast', 'isLinkLocalMulticast', 'isLinkLocalUnicast', 'semver', 'isSemver'],
  ...['getFullYear', 'getMonth', 'getDate', 'getDayOfMonth', 'getDayOfWeek', 'getDayOfYear', 'getHours'],
  ...['getMinutes', 'getSeconds', 'getMilliseconds', 'validate', 'named', 'equivalent', 'intersects'],
]);

/** Returns the child nodes. Operands are nodes, lists of nodes, lists of pairs, and names. */
function nodesIn(args: unknown): Node[] {
  if (Array.isArray(args)) return args.flatMap(nodesIn);
  return isNode(args) ? [args] : [];
}

function isNode(value: unknown): value is Node {
  return typeof value === 'object' && value !== null && 'op' in value && 'args' in value;
}
