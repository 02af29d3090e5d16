import type { JsonObject, JsonValue } from '../../json/index.ts';
import type { FieldError } from '../../selectors/index.ts';
import { invalid } from '../field-errors/index.ts';
import { evaluateRules, loadCel, Rules, schemasWithRules } from './cel/index.ts';
import { type CheckMetadata, embeddedErrors, embedsResources } from './embedded-resources.ts';
import { loadPatterns, Patterns } from './patterns.ts';
import { propertiesOf, type Schema } from './schema.ts';
import { type ReadMetadata, type Shaped, shapeObject } from './shape-value.ts';
import { type Findings, validateValue } from './validate-value.ts';

/** How the metadata of embedded resources is read and checked: as that of every other object. */
export interface MetadataRules {
  readonly read: ReadMetadata;
  readonly check: CheckMetadata;
}

/** Errors after which no rule can be asked. */
const BLOCKING: ReadonlySet<FieldError['type']> = new Set([
  'NotSupported',
  'Required',
  'TooLong',
  'TooMany',
  'TypeInvalid',
]);

/** The structural schema of one version of a custom resource, ready to read and to check its objects. */
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

  /** What an object becomes: without what the schema has not, and with its defaults. Its own metadata stays. */
  shape(object: JsonObject): Shaped {
    return shapeObject(this.schema, object, this.#metadata.read);
  }

  /**
   * Everything wrong with an object that has its shape.
   *
   * @param old what it replaces: what broke the schema there and did not change is let through
   */
  validate(object: JsonObject, old?: JsonObject): FieldError[] {
    const found = this.#schemaErrors(this.schema, object, old, '');
    return this.#withRules(found, object, old);
  }

  /** The same of an object of which only the status is written. */
  validateStatus(object: JsonObject, old: JsonObject): FieldError[] {
    const status = propertiesOf(this.schema).get('status');
    const found =
      status === undefined || object.status === undefined
        ? []
        : this.#schemaErrors(status, object.status, old.status, 'status');
    return this.#withRules(found, object, old);
  }

  #schemaErrors(schema: Schema, value: JsonValue, old: JsonValue | undefined, prefix: string): FieldError[] {
    const findings = this.#findings(schema, value, old, prefix);
    const embedded = this.#embeds ? embeddedErrors(schema, value, prefix, this.#metadata.check) : [];
    // Lists that had elements twice before may have them twice.
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

  #withRules(found: readonly FieldError[], value: JsonObject, old: JsonObject | undefined): FieldError[] {
    if (this.#rules === undefined) return [...found];
    if (found.some(({ type }) => BLOCKING.has(type))) {
      const detail =
        'some validation rules were not checked because the object was invalid; correct the existing errors to complete validation';
      return [...found, invalid('', null, detail)];
    }
    const broken = evaluateRules(this.#rules, this.schema, {
      value,
      path: '',
      ...(old === undefined ? {} : { old }),
    });
    return [...found, ...broken];
  }
}

/** Compiles a schema; loads the libraries for patterns and for rules only where they are needed. */
export async function compileSchema(schema: Schema, metadata: MetadataRules): Promise<CompiledSchema> {
  const patterns = await patternsOf(schema);
  const rules = await compileRules(schema, patterns);
  return new CompiledSchema(schema, { patterns, rules, metadata });
}

/** A schema that names no pattern and has no rule needs no library to match with. */
function patternsOf(schema: Schema): Promise<Patterns> {
  const needed = /"(pattern|x-kubernetes-validations)":/.test(JSON.stringify(schema));
  return needed ? loadPatterns() : Promise.resolve(NO_PATTERNS);
}

const NO_PATTERNS = new Patterns(() => {
  throw new Error('no pattern was to be compiled');
});

/** The rules of a schema; undefined where it has none. */
export async function compileRules(schema: Schema, patterns: Patterns): Promise<Rules | undefined> {
  if (schemasWithRules(schema).length === 0) return undefined;
  return new Rules(schema, await loadCel(), patterns);
}
