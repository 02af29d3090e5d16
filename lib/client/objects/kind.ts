/**
 * The part of Standard Schema that the types come from. Schemas of zod 4, Valibot and ArkType have it.
 * https://standardschema.dev
 */
export interface StandardSchema<Input = unknown, Output = Input> {
  readonly '~standard': {
    readonly types?: { readonly input: Input; readonly output: Output } | undefined;
  };
}

/** The value that a schema accepts: fields with a default may be missing. */
export type InputOf<Schema> = Schema extends { readonly '~standard': { readonly types?: infer Types } }
  ? NonNullable<Types> extends { readonly input: infer Input }
    ? Input
    : unknown
  : unknown;

/** The value that a schema returns: fields with a default are there. */
export type OutputOf<Schema> = Schema extends { readonly '~standard': { readonly types?: infer Types } }
  ? NonNullable<Types> extends { readonly output: infer Output }
    ? Output
    : unknown
  : unknown;

/** The depth to which {@link FieldPath} descends. */
type Depth = [never, 0, 1, 2, 3, 4];

/** The paths of all fields with a single value: `spec.state`, `spec.radio.band`. */
export type FieldPath<Value, Prefix extends string, Left extends number = 5> = Left extends 0
  ? never
  : {
      [Key in keyof Value & string]-?: NonNullable<Value[Key]> extends Scalar
        ? `${Prefix}.${Key}`
        : NonNullable<Value[Key]> extends readonly unknown[]
          ? never
          : NonNullable<Value[Key]> extends object
            ? FieldPath<NonNullable<Value[Key]>, `${Prefix}.${Key}`, Depth[Left] & number>
            : never;
    }[keyof Value & string];

/** A value of a field that a field selector can name. */
export type Scalar = string | number | boolean;

/** The type of the field at a path of {@link FieldPath}; any scalar if the types do not say what the path leads to. */
export type PathValue<Value, Path extends string> = Path extends `${infer Key}.${infer Rest}`
  ? Key extends keyof Value
    ? PathValue<NonNullable<Value[Key]>, Rest>
    : Scalar
  : Path extends keyof Value
    ? ScalarOf<NonNullable<Value[Path]>>
    : Scalar;
type ScalarOf<Value> = [Extract<Value, Scalar>] extends [never] ? Scalar : Extract<Value, Scalar>;

/** The lists of a value at any depth: the path of each, and the type of its items. */
type ListField<Value, Prefix extends string, Left extends number = 5> = Left extends 0
  ? never
  : {
      [Key in keyof Value & string]-?: NonNullable<Value[Key]> extends readonly (infer Item)[]
        ?
            | { path: `${Prefix}.${Key}`; item: Item }
            | ListField<Item, `${Prefix}.${Key}[]`, Depth[Left] & number>
        : NonNullable<Value[Key]> extends object
          ? ListField<NonNullable<Value[Key]>, `${Prefix}.${Key}`, Depth[Left] & number>
          : never;
    }[keyof Value & string];

/** The names of the fields of an item that can identify it. */
type ItemKey<Item> = {
  [Key in keyof Item & string]-?: NonNullable<Item[Key]> extends string | number | boolean ? Key : never;
}[keyof Item & string];

/** The lists of a spec and a status. */
type ListOf<Spec, Status> =
  | ListField<OutputOf<Spec>, 'spec'>
  | ([Status] extends [never] ? never : ListField<OutputOf<Status>, 'status'>);

/** The fields that identify an item, by the path of each list of objects. */
type ListKeys<Spec, Status> = {
  readonly [Field in Extract<ListOf<Spec, Status>, { item: object }> as Field['path']]?:
    | readonly ItemKey<Field['item']>[]
    | undefined;
};

/** The paths of the lists of single values. */
type SetPath<Spec, Status> = Extract<ListOf<Spec, Status>, { item: string | number | boolean }>['path'];

export type Scope = 'Namespaced' | 'Cluster';

/**
 * A kind of objects: its place in the API, and the types of its objects. `Body` has the fields beside `metadata` as the
 * server returns them, `Input` as a writer gives them. `Selectable` has the paths that field selectors accept.
 */
export interface Kind<Body = unknown, Input = Body, Selectable extends string = never> {
  /** `v1`, or a group with a version: `fleet.example/v1`. */
  readonly apiVersion: string;
  /** The name in the path: `devices`. */
  readonly plural: string;
  readonly scope: Scope;
  /** The name in objects: `Device`. Without it, the client asks the server before the first create or apply. */
  readonly kind?: string | undefined;
  /** Only for the compiler: it is never set. */
  readonly types?: { readonly body: Body; readonly input: Input; readonly selectable: Selectable };
}

// biome-ignore lint/suspicious/noExplicitAny: a kind of any types, for inference
export type AnyKind = Kind<any, any, any>;

/** The fields of an object of a kind beside its metadata, as the server returns them. */
export type BodyOf<Of> = Of extends Kind<infer Body, infer _Input, infer _Selectable> ? Body : never;

/** A custom kind with the schema of its objects. */
export interface KindDefinition<
  Spec,
  Status,
  Selectable extends string,
  Column extends string,
  Lists = Readonly<Record<string, readonly string[] | undefined>>,
  SetOf extends string = string,
> {
  /** The API group: `fleet.example`. */
  readonly group: string;
  readonly version: string;
  readonly kind: string;
  readonly plural: string;
  /** `Namespaced` by default. */
  readonly scope?: Scope | undefined;
  readonly spec: Spec;
  /** The schema of `status`, which only {@link Objects.updateStatus} writes. */
  readonly status?: Status | undefined;
  /** The paths of the fields that field selectors accept; eight at most. */
  readonly selectable?: readonly Selectable[] | undefined;
  /** Conditions on the spec as CEL rules: `{ rule: 'self.min <= self.max' }`. Only the server checks them. */
  readonly rules?: readonly { readonly rule: string; readonly message?: string | undefined }[] | undefined;
  /** The columns of `kubectl get`: the path of a field, by title. */
  readonly columns?: Readonly<Record<string, Column>> | undefined;
  /**
   * The fields that identify the items of a list of objects: `{ 'spec.ports': ['name'] }`. An apply then merges the list by
   * item. Without it, an apply replaces the whole list.
   */
  readonly lists?: Lists | undefined;
  /** The paths of lists whose values cannot be there twice. An apply merges them by value. */
  readonly sets?: readonly SetOf[] | undefined;
}

/** The paths of the fields of a kind with a single value. */
type PathOf<Spec, Status> = FieldPath<OutputOf<Spec>, 'spec'> | StatusPathOf<Status>;
type StatusPathOf<Status> = [Status] extends [never] ? never : FieldPath<OutputOf<Status>, 'status'>;

/** The fields of an object with a spec, and with a status if there is a schema of it. */
type SpecAndStatus<Spec, Status> = [Status] extends [never]
  ? { spec: OutputOf<Spec> }
  : { spec: OutputOf<Spec>; status?: OutputOf<Status> };

/** The kind that {@link defineKind} returns: its place in the API, its types and its schemas. */
export type DefinedKind<Spec, Status, Selectable extends string> = Kind<
  SpecAndStatus<Spec, Status>,
  { readonly spec: InputOf<Spec> },
  Selectable
> & {
  readonly kind: string;
  readonly definition: KindDefinition<Spec, Status, string, string>;
};

/** Describes a custom kind. The types of its objects come from the schema of its spec. */
export function defineKind<
  Spec extends StandardSchema,
  const Selectable extends PathOf<Spec, Status> = never,
  const Column extends PathOf<Spec, Status> | `metadata.${string}` = never,
  Status extends StandardSchema = never,
>(
  definition: KindDefinition<Spec, Status, Selectable, Column, ListKeys<Spec, Status>, SetPath<Spec, Status>>,
): DefinedKind<Spec, Status, Selectable> {
  const { group, version, plural, kind, scope = 'Namespaced' } = definition;
  return {
    apiVersion: `${group}/${version}`,
    plural,
    kind,
    scope,
    definition: definition as KindDefinition<Spec, Status, Selectable, Column>,
  };
}

/**
 * Names a kind that the server already has. Its types come from a type parameter: `resource<typeof Device>(…)` with a
 * type-only import, or `resource<Kind<{ data?: Record<string, string> }>>('v1', 'configmaps')`.
 */
export function resource<Of extends AnyKind = Kind<Record<string, unknown>>>(
  apiVersion: string,
  plural: string,
  {
    kind,
    scope = 'Namespaced',
  }: { readonly kind?: string | undefined; readonly scope?: Scope | undefined } = {},
): ResourceOf<Of> {
  const named: AnyKind = { apiVersion, plural, kind, scope };
  return named as ResourceOf<Of>;
}

/** A kind with the types of another one, without its schemas. */
type ResourceOf<Of> =
  Of extends Kind<infer Body, infer Input, infer Selectable> ? Kind<Body, Input, Selectable> : never;
