/**
 * Each public name of `@winnow-dev/client/objects`, with the type parameters that a program may give it. The compiler
 * checks it, also the oldest one that lib/client/README.md names. A removed name or parameter is a breaking change.
 */
import {
  type AddressOptions,
  AlreadyExistsError,
  type AnyKind,
  type ApiRequest,
  type Applied,
  type ApplyOptions,
  absent,
  type BodyOf,
  type Change,
  type Column,
  type Condition,
  ConflictError,
  type ConnectOptions,
  connect,
  type DeepPartial,
  type DeepReadonly,
  type DefinedKind,
  type DeleteOptions,
  defineKind,
  ExpiredError,
  exists,
  type Facet,
  type FacetOptions,
  type Facets,
  type FieldPath,
  type FieldSelector,
  ForbiddenError,
  type HoldOptions,
  type InputOf,
  InvalidError,
  type Kind,
  type KindDefinition,
  type LabelSelector,
  type ListOptions,
  type LiveEvents,
  type LiveObject,
  type LiveOptions,
  type LiveReader,
  type LiveSet,
  type LiveState,
  type Matcher,
  type MergePatch,
  type New,
  type NewMetadata,
  NotFoundError,
  not,
  type ObjectList,
  type Objects,
  OutcomeUnknownError,
  type OutputOf,
  type OwnerReference,
  type Page,
  type Patch,
  type PathValue,
  type Question,
  type RequestOptions,
  type ReviewedChange,
  resource,
  type Scalar,
  type Scope,
  type SelectedOptions,
  type Selection,
  type SelectionReview,
  type SelectOptions,
  type Shape,
  type Shaped,
  type StandardSchema,
  type Status,
  type StatusCause,
  type Stored,
  type StoredMetadata,
  type TableRow,
  type Target,
  type TokenSource,
  TooManyRequestsError,
  UnauthorizedError,
  UnavailableError,
  type WatchEvent,
  type WatchOptions,
  type Winnow,
  type WinnowError,
} from '../../../../lib/client/objects/index.ts';

type Body = { spec: { state: 'active' | 'retired'; names?: string[] } };
type Schema = StandardSchema<{ state?: 'active' }, { state: 'active' }>;

/** Both types are assignable to each other. */
type Same<One, Other> = [One] extends [Other] ? ([Other] extends [One] ? true : false) : false;
/** A list of statements, each of which must be true. */
type Each<Statements extends readonly true[]> = Statements;

export type Statements = Each<
  [
    Same<FieldPath<Body['spec'], 'spec'>, 'spec.state'>,
    Same<PathValue<Body, 'spec.state'>, 'active' | 'retired'>,
    Same<PathValue<Body, 'status.phase'>, Scalar>,
    Same<InputOf<Schema>, { state?: 'active' }>,
    Same<OutputOf<Schema>, { state: 'active' }>,
    Same<BodyOf<Kind<Body>>, Body>,
    Same<Shaped<Body, 'object'>, Body>,
    Same<Shaped<Body, 'metadata'>, unknown>,
    Same<Shaped<Body, 'table'>, TableRow>,
    Same<DeepReadonly<Body>['spec']['names'], readonly string[] | undefined>,
    Same<Stored<Body>['spec'], Body['spec']>,
    Same<LiveObject<Body>['metadata']['name'], string>,
    Same<FieldSelector<'spec.state', Body>['spec.state'], 'active' | 'retired' | undefined>,
    Same<DeepPartial<Body>['spec'], DeepPartial<Body['spec']> | undefined>,
    Same<MergePatch<Body>['spec'], MergePatch<Body['spec']> | undefined>,
    Same<Facets<['site']>['facets'], readonly [Facet<'site'>]>,
    Same<Scope, 'Namespaced' | 'Cluster'>,
    Same<Shape, 'object' | 'metadata' | 'table'>,
    Same<LiveState, 'starting' | 'live' | 'stale' | 'stopped'>,
  ]
>;

/** The types of the parameters and results of methods, as a wrapper around the client names them. */
export interface Wrapped {
  readonly connect: (options?: ConnectOptions & AddressOptions & { token?: string | TokenSource }) => Winnow;
  readonly request: (options: ApiRequest) => Promise<Status & { causes?: StatusCause[] }>;
  readonly kinds: AnyKind | DefinedKind<Schema, never, never> | KindDefinition<Schema, never, never, never>;
  readonly objects: Objects<Body, Body, 'spec.state'>;
  readonly list: ObjectList<Body> | Promise<Page<Body> & { columns: readonly Column[] }>;
  readonly live: LiveSet<Body> | LiveReader<Body> | Matcher | LiveEvents<Body>['add'];
  readonly events: AsyncGenerator<WatchEvent<Body>>;
  readonly answers: Selection | SelectionReview | StoredMetadata | OwnerReference;
  readonly options:
    | ApplyOptions
    | DeleteOptions
    | FacetOptions<'spec.state', Body>
    | HoldOptions
    | ListOptions<'spec.state', Body, 'table'>
    | LiveOptions<'spec.state', Body, 'table'>
    | RequestOptions
    | SelectedOptions<Kind<Body>>
    | SelectOptions<'spec.state', Body, 'table'>
    | WatchOptions<'spec.state', Body, 'table'>;
  readonly questions: Question | LabelSelector | Condition | Target | ReviewedChange<Body, Body>;
  readonly writes: New<Body> | NewMetadata | Applied<Body> | Patch<Body> | Change<Body>;
}

export const values = [absent, exists, not('a'), connect, defineKind, resource];

export const errors: readonly (typeof WinnowError)[] = [
  AlreadyExistsError,
  ConflictError,
  ExpiredError,
  ForbiddenError,
  InvalidError,
  NotFoundError,
  OutcomeUnknownError,
  TooManyRequestsError,
  UnauthorizedError,
  UnavailableError,
];
