import {
  collectionOf,
  type JsonObject,
  type JsonValue,
  jsonEquals,
  type ObjectName,
} from '../../json/index.ts';
import type { ResourceType } from '../../kubernetes/resource-types/index.ts';
import { resourceTypesOf } from '../../kubernetes/schemas/index.ts';
import { type Clock, MEMORY } from '../../platform/index.ts';
import { everything } from '../../selectors/index.ts';
import { eachPage, type ObjectState, type Store } from '../../store/index.ts';
import { customSchema } from '../objects/index.ts';
import type { KnownTypes } from './custom-types.ts';
import { customShow, needsWebhook } from './custom-view.ts';

/** The most stored objects that one dry run checks. */
const MOST_OBJECTS = 10_000;
/** The most time for this, in ms. A request has 25 s. */
const MOST_TIME = 10_000;
/** Objects per page. */
const PAGE = 500;
/** The most objects that are named, and the most fields of each. */
const MOST_NAMED = 10;
const MOST_FIELDS = 3;

export interface RehearsalOptions {
  readonly store: Store;
  readonly clock: Clock;
  /** The kinds as they are, without the dry run. */
  readonly known: KnownTypes;
  /** Whether the caller may list all objects of the kind. Otherwise no object is read. */
  readonly mayList: (type: ResourceType) => boolean;
}

interface Refused {
  readonly name: ObjectName;
  /** The versions that refuse it. */
  readonly versions: readonly string[];
  readonly fields: readonly string[];
}

/** A served version of the changed kind, with the version whose objects it is to accept. */
interface Check {
  readonly next: ResourceType;
  readonly former: ResourceType;
}

/**
 * Returns warnings about the stored objects that a changed definition would refuse, and that the present one accepts. A
 * dry run of a change of the definition has them. Every served version is checked whose schema changes; a new version is
 * compared with the former storage version. If no schema changes, no object is read. Otherwise at most 10,000 objects are
 * read, for 10 s at most; a warning says so if there are more. For a caller who may not list the objects, no object is
 * read, and a warning says so: a count would tell the values of fields.
 */
export async function refusedObjects(definition: JsonObject, options: RehearsalOptions): Promise<string[]> {
  const types = resourceTypesOf(definition);
  const checks = changesOf(types, options.known);
  const [first] = checks;
  if (first === undefined) return [];
  const { group, resource } = first.next;
  const { clock, store, mayList } = options;
  if (!mayList(first.next)) return [`stored objects were not checked: you may not list ${resource}`];
  const refuses = await refuserOf(checks);
  const refused: Refused[] = [];
  const end = clock.now() + MOST_TIME;
  let [checked, count] = [0, 0];
  const request = { selector: everything, limit: PAGE, mostHeap: MEMORY.page };
  let isWhole = true;
  pages: for await (const page of eachPage(store, collectionOf(group, resource), request)) {
    for (const state of page.items) {
      if (checked === MOST_OBJECTS || clock.now() > end) {
        isWhole = false;
        break pages;
      }
      checked += 1;
      const found = refuses(state);
      if (found.versions.length === 0) continue;
      count += 1;
      if (refused.length < MOST_NAMED) refused.push(found);
    }
  }
  const more = isWhole ? '' : `; only the first ${checked} were checked`;
  if (count === 0 && isWhole) return [];
  const summary = `the new schema would refuse ${count} of ${checked} stored ${resource}${more}`;
  return [summary, ...refused.map((found) => told(found, types.length > 1))];
}

/** The served versions whose objects have another schema than before. Empty for a kind that was not served. */
function changesOf(types: readonly ResourceType[], known: KnownTypes): Check[] {
  return types.flatMap((next) => {
    const before = known.types.filter(
      ({ group, resource }) => group === next.group && resource === next.resource,
    );
    const former = before.find(({ version }) => version === next.version) ?? storedTypeOf(before);
    if (former === undefined || jsonEquals(schemasOf(next), schemasOf(former))) return [];
    return [{ next, former }];
  });
}

/** The type in whose version objects are stored, even if that version is not served. */
function storedTypeOf([type]: readonly ResourceType[]): ResourceType | undefined {
  const { custom } = type ?? {};
  const schema = custom?.schemas.get(custom.storedAs);
  if (type === undefined || custom === undefined || schema === undefined) return undefined;
  return { ...type, version: custom.storedAs.slice(type.group.length + 1), custom: { ...custom, schema } };
}

/** The schemas through which stored objects are read in a version. */
function schemasOf({ custom }: ResourceType): JsonValue {
  return [custom?.schemas.get(custom.storedAs) ?? {}, custom?.schema ?? {}];
}

/** Returns a function that gives the versions that newly refuse a stored object, and the fields. */
async function refuserOf(checks: readonly Check[]): Promise<(state: ObjectState) => Refused> {
  const acceptors = await Promise.all(
    checks.map(async ({ next, former }) => ({
      version: next.version,
      accepts: await acceptorOf(next),
      accepted: await acceptorOf(former),
    })),
  );
  return (state) => {
    const found = acceptors.flatMap(({ version, accepts, accepted }) => {
      const fields = accepts(state);
      return fields.length === 0 || accepted(state).length > 0 ? [] : [{ version, fields }];
    });
    return {
      name: state.name,
      versions: found.map(({ version }) => version),
      fields: found.flatMap(({ fields }) => fields),
    };
  };
}

/** Returns a function that gives the fields of a stored object which a type refuses. */
async function acceptorOf(type: ResourceType): Promise<(state: ObjectState) => readonly string[]> {
  const { custom } = type;
  if (custom === undefined) return () => [];
  const [schema, show] = [await customSchema(custom), await customShow(type, custom)];
  return (state) => {
    if (needsWebhook(type, custom, state)) return [];
    return schema.validateStored(show(state).body).map(({ field }) => field);
  };
}

/** An object in a warning. A value of the object does not belong there, and a header has only ASCII. */
function told({ name: { namespace, name }, versions, fields }: Refused, hasVersions: boolean): string {
  const object = namespace === '' ? name : `${namespace}/${name}`;
  const named = [...new Set(fields)].filter((field) => field !== '').slice(0, MOST_FIELDS);
  const where = named.length === 0 ? 'a rule' : named.join(', ');
  const among = hasVersions ? ` in ${versions.join(', ')}` : '';
  return `the new schema would refuse ${object}: ${where}${among}`.replace(/[^\x20-\x7e]/g, '?');
}
