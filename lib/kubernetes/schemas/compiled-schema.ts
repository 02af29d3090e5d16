import type { JsonObject, JsonValue } from '../../json/index.ts';
import type { FieldError } from '../../selectors/index.ts';
import { invalid } from '../field-errors/index.ts';
import { evaluateRules, type Rules, rulesOf } from './cel/index.ts';
import { type CheckMetadata, embeddedErrors, embedsResources } from './embedded-resources.ts';
import { loadPatterns, Patterns } from './patterns.ts';
import { propertiesOf, type Schema } from './schema.ts';
import { type ReadMetadata, type Shaped, shapeObject } from './shape-value.ts';
import { type Findings, validateValue } from './validate-value.ts';

/** The functions that read and check the metadata of embedded resources, as for every other object, and the clock. */
export interface MetadataRules {
  readonly read: ReadMetadata;
  readonly check: CheckMetadata;
  /** The time in milliseconds, which bounds the evaluation of a rule. Without it, only the cost bounds it. */
  readonly now?: () => number;
}

/** Errors after which rules cannot be evaluated. */
const BLOCKING: ReadonlySet<FieldError['type']> = new Set([
  'NotSupported',
  'Required',
  'TooLong',
  'TooMany',
  'TypeInvalid',
]);

/** The structural schema of one version of a custom resource, compiled to read and check its objects. */
export class CompiledSchema {
  readonly schema: Schema;
  readonly #patterns: Patterns;
  readonly #rules: Rules | undefined;
  readonly #metadata: MetadataRules;
  readonly #embeds: boolean;

  constructor(
    schema: Schema,
    parts: { patterns: Patterns; rules: Rules | undefined; metadata: MetadataRules },
  ) {
    this.schema = schema;
    this.#patterns = parts.patterns;
    this.#rules = parts.rules;
    this.#metadata = parts.metadata;
    this.#embeds = embedsResources(schema);
  }

  /** Returns the object without unknown fields and with defaults. Its own metadata is unchanged. */
  shape(object: JsonObject): Shaped {
    return shapeObject(this.schema, object, this.#metadata.read);
  }

  /**
   * Returns all errors of an object that has its shape.
   *
   * @param old the object that it replaces: errors in unchanged parts are ignored
   */
  validate(object: JsonObject, old?: JsonObject): FieldError[] {
    const found = this.#schemaErrors(this.schema, object, old, '');
    return this.#withRules(found, object, { old });
  }

  /**
   * Like {@link validate}, for an object that is stored. A rule whose `oldSelf` is optional sees it as its own former
   * value; other rules with `oldSelf` are not evaluated.
   */
  validateStored(object: JsonObject): FieldError[] {
    const found = this.#schemaErrors(this.schema, object, undefined, '');
    return this.#withRules(found, object, { isStored: true });
  }

  /** Like {@link validate}, for a write that changes only the status. */
  validateStatus(object: JsonObject, old: JsonObject): FieldError[] {
    const status = propertiesOf(this.schema).get('status');
    const found =
      status === undefined || object.status === undefined
        ? []
        : this.#schemaErrors(status, object.status, old.status, 'status');
    return this.#withRules(found, object, { old });
  }

  #schemaErrors(schema: Schema, value: JsonValue, old: JsonValue | undefined, prefix: string): FieldError[] {
    const findings = this.#findings(schema, value, old, prefix);
    const embedded = this.#embeds ? embeddedErrors(schema, value, prefix, this.#metadata.check) : [];
    // Lists that had duplicate elements before may keep them.
    const ratcheted =
      findings.duplicates.length > 0 &&
      old !== undefined &&
      this.#findings(schema, old, undefined, prefix).duplicates.length > 0;
    return [...findings.errors, ...embedded, ...(ratcheted ? [] : findings.duplicates)];
  }

  #findings(schema: Schema, value: JsonValue, old: JsonValue | undefined, prefix: string): Findings {
    return validateValue({
      schema,
      value,
      prefix,
      patterns: this.#patterns,
      ...(old === undefined ? {} : { old }),
    });
  }

  #withRules(
    found: readonly FieldError[],
    value: JsonObject,
    { old, isStored = false }: { readonly old?: JsonObject | undefined; readonly isStored?: boolean },
  ): FieldError[] {
    if (this.#rules === undefined) return [...found];
    if (found.some(({ type }) => BLOCKING.has(type))) {
      const detail =
        'some validation rules were not checked because the object was invalid; correct the existing errors to complete validation';
      return [...found, invalid('', null, detail)];
    }
    const broken = evaluateRules(this.#rules, this.schema, {
      value,
      path: '',
      isStored,
      ...(old === undefined ? {} : { old }),
    });
    return [...found, ...broken];
  }
}

/** Compiles a schema. The libraries for patterns and rules are loaded only if they are needed. */
export async function compileSchema(schema: Schema, metadata: MetadataRules): Promise<CompiledSchema> {
  const patterns = await patternsOf(schema);
  const rules = await rulesOf(schema, { patterns, now: metadata.now });
  return new CompiledSchema(schema, { patterns, rules, metadata });
}

/** Loads the pattern library, unless the schema has no patterns and no rules. */
function patternsOf(schema: Schema): Promise<Patterns> {
  const needed = /"(pattern|x-kubernetes-validations)":/.test(JSON.stringify(schema));
  return needed ? loadPatterns() : Promise.resolve(NO_PATTERNS);
}

const NO_PATTERNS = new Patterns(() => {
  throw new Error('no pattern was to be compiled');
});
