import { checkNew } from '../../cel/definitions.ts';
import { type Environment, ExpressionError, type Type, types } from '../../cel/index.ts';
import { type JsonObject, objectAt } from '../../json/index.ts';
import type { GroupVersionKind } from '../admission-match/index.ts';
import { child, index } from '../field-errors/index.ts';
import type { Message } from '../fields/index.ts';
import { PatternWorkError } from '../schemas/patterns.ts';
import { Environments } from './environments.ts';
import type { Expressions } from './expressions.ts';
import { type CustomFields, type KindTypes, kindTypes } from './kind-types.ts';
import { isThere, objectsOf, textOf, textsOf } from './reading.ts';

export type { CustomFields } from './kind-types.ts';

/** One entry of `status.typeChecking.expressionWarnings`. */
export interface ExpressionWarning {
  /** `spec.validations[0].expression` */
  readonly fieldRef: string;
  readonly warning: string;
}

/** A resource that the API serves, and its kind. */
export interface ServedType extends GroupVersionKind {
  readonly resource: string;
}

/** Where the types of matched objects come from. */
export interface TypeSource {
  readonly types: readonly ServedType[];
  /** Returns the fields of a kind; undefined for one that is not checked. */
  readonly fieldsOf: (kind: GroupVersionKind) => Message | CustomFields | undefined;
  readonly expressions: Expressions;
}

/** The most kinds of one rule, and of a policy. kube-apiserver has no limit of the second. */
const MOST_KINDS = 10;
const MOST_KINDS_OF_POLICY = 50;
/** The most characters that one policy lets check: those of its expressions, once for each kind. */
const MOST_CHARACTERS = 500_000;
/** The longest warning, and all warnings of a policy. They are stored with it, and quote a line for each issue. */
const LONGEST_WARNING = 10_000;
const LONGEST_WARNINGS = 50_000;

/**
 * Returns the warnings about expressions of a policy that do not fit the types of the objects that it matches. Follows
 * typechecking.go of k8s.io/apiserver/pkg/admission/plugin/policy/validating, which checks validations and their
 * messages.
 */
export function typeWarnings(policy: JsonObject, source: TypeSource): ExpressionWarning[] {
  const spec = objectAt(policy.spec);
  const kinds = kindsToCheck(policy, source.types).flatMap((kind) => {
    const fields = source.fieldsOf(kind);
    return fields === undefined ? [] : [{ kind, check: checkOf(spec, kindTypes(fields, kind.kind), source) }];
  });
  source.expressions.refill();
  const warnings: ExpressionWarning[] = [];
  let length = 0;
  for (const [fieldRef, text] of expressionsOf(spec)) {
    const issues = kinds.flatMap(({ kind, check }) => {
      const issue = check(text);
      return issue === undefined ? [] : [`${nameOf(kind)}: ${issue}\n`];
    });
    if (issues.length === 0) continue;
    const warning = shortened(issues.join('\n'));
    length += warning.length;
    if (length > LONGEST_WARNINGS) break;
    warnings.push({ fieldRef, warning });
  }
  return warnings;
}

/** Yields the checked expressions with their fields. */
function* expressionsOf({ validations }: JsonObject): Generator<readonly [string, string], void> {
  for (const [at, validation] of objectsOf(validations).entries()) {
    const path = index('spec.validations', at);
    yield [child(path, 'expression'), textOf(validation.expression)];
    const message = textOf(validation.messageExpression);
    if (message !== '') yield [child(path, 'messageExpression'), message];
  }
}

function shortened(text: string): string {
  return text.length > LONGEST_WARNING ? `${text.slice(0, LONGEST_WARNING).toWellFormed()}…` : text;
}

function nameOf({ group, version, kind }: GroupVersionKind): string {
  return `${group}/${version}, Kind=${kind}`;
}

/** Returns the kinds that a policy's rules without wildcards name, by group, version and kind. */
export function kindsToCheck(policy: JsonObject, served: readonly ServedType[]): GroupVersionKind[] {
  const found = new Map<string, GroupVersionKind>();
  const { matchConstraints } = objectAt(policy.spec);
  for (const rule of objectsOf(objectAt(matchConstraints).resourceRules)) {
    const kinds = kindsOf(rule, served).slice(0, MOST_KINDS);
    for (const kind of kinds) found.set(nameOf(kind), kind);
    if (kinds.length === MOST_KINDS) break;
  }
  return [...found.values()].sort(orderKinds).slice(0, mostKinds(policy));
}

/** Returns how many kinds a policy's expressions may be checked for: the longer they are, the fewer. */
function mostKinds(policy: JsonObject): number {
  const { variables, validations } = objectAt(policy.spec);
  const texts = [...objectsOf(variables), ...objectsOf(validations)].flatMap((each) => {
    return [textOf(each.expression), textOf(each.messageExpression)];
  });
  const characters = texts.reduce((sum, { length }) => sum + length, 1);
  return Math.max(1, Math.min(MOST_KINDS_OF_POLICY, Math.floor(MOST_CHARACTERS / characters)));
}

function kindsOf(rule: JsonObject, served: readonly ServedType[]): GroupVersionKind[] {
  const { names, resources } = namesOf(rule);
  return served.filter((type) => names(type) && resources.has(type.resource)).sort(orderKinds);
}

/** Returns true if the API serves each resource that a policy's rules without wildcards name. */
export function servesAll(policy: JsonObject, served: readonly ServedType[]): boolean {
  const { matchConstraints } = objectAt(policy.spec);
  return objectsOf(objectAt(matchConstraints).resourceRules).every((rule) => {
    const { names, resources } = namesOf(rule);
    const found = new Set(served.filter(names).map(({ resource }) => resource));
    return [...resources].every((resource) => found.has(resource));
  });
}

interface Named {
  /** Whether a rule names the group and the version of a type. */
  readonly names: (type: ServedType) => boolean;
  /** The resources of the rule; empty if its groups or versions have wildcards. */
  readonly resources: ReadonlySet<string>;
}

function namesOf(rule: JsonObject): Named {
  const [groups, versions] = [new Set(textsOf(rule.apiGroups)), new Set(textsOf(rule.apiVersions))];
  const hasWildcard = [...groups, ...versions].some((each) => each.includes('*'));
  const resources = hasWildcard ? [] : textsOf(rule.resources).filter((each) => !/[*/]/.test(each));
  return {
    // Like upstream's mapper of resources, which takes the core group for any group.
    names: ({ group, version }) => (groups.has('') || groups.has(group)) && versions.has(version),
    resources: new Set(resources),
  };
}

function orderKinds(one: GroupVersionKind, other: GroupVersionKind): number {
  return order(one.group, other.group) || order(one.version, other.version) || order(one.kind, other.kind);
}

function order(one: string, other: string): number {
  if (one === other) return 0;
  return one < other ? -1 : 1;
}

/** Returns the function that checks an expression for objects of one kind. It returns the issues, if there are any. */
function checkOf(
  spec: JsonObject,
  object: KindTypes,
  { fieldsOf, expressions }: TypeSource,
): (text: string) => string | undefined {
  const environments = new Environments({
    hasParams: isThere(spec.paramKind),
    hasVariables: true,
    object,
    params: paramTypes(objectAt(spec.paramKind), fieldsOf),
  });
  const check = (text: string) => {
    return checked(text, environments.of('stored', true), expressions);
  };
  for (const { name, expression } of objectsOf(spec.variables)) {
    const found = check(textOf(expression));
    environments.declare(textOf(name), typeof found === 'string' ? types.DYN : found.type);
  }
  return (text) => {
    const found = check(text);
    return typeof found === 'string' ? found : undefined;
  };
}

function checked(
  text: string,
  environment: Environment,
  { regexes }: Expressions,
): string | { readonly type: Type } {
  try {
    return checkNew(text, environment, regexes);
  } catch (error) {
    if (error instanceof ExpressionError) return error.message;
    // The patterns of the policy are too large; its validation reports that.
    if (error instanceof PatternWorkError) return { type: types.DYN };
    throw error;
  }
}

function paramTypes(
  { apiVersion, kind }: JsonObject,
  fieldsOf: TypeSource['fieldsOf'],
): KindTypes | undefined {
  const [version = '', group = ''] = textOf(apiVersion).split('/').toReversed();
  const fields = fieldsOf({ group, version, kind: textOf(kind) });
  return fields && kindTypes(fields, textOf(kind));
}
