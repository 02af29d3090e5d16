import { collectionOf, type JsonObject, jsonEquals, type ObjectName } from '../../json/index.ts';
import { apiVersionOf, type ResourceType } from '../../kubernetes/resource-types/index.ts';
import { resourceTypesOf } from '../../kubernetes/schemas/index.ts';
import { type Clock, MEMORY } from '../../platform/index.ts';
import { everything } from '../../selectors/index.ts';
import { eachPage, type ObjectState, type Store } from '../../store/index.ts';
import { customSchema } from '../objects/index.ts';
import type { KnownTypes } from './custom-types.ts';
import { customShow } from './custom-view.ts';

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
  readonly fields: readonly string[];
}

/**
 * Returns warnings about the stored objects that the schema of a definition would refuse, and that the present schema
 * accepts. A dry run of a change of the definition has them. If the schema does not change, no object is read. Otherwise
 * at most 10,000 objects are read, for 10 s at most; a warning says so if there are more. For a caller who may not list
 * the objects, no object is read, and a warning says so: a count would tell the values of fields.
 */
export async function refusedObjects(definition: JsonObject, options: RehearsalOptions): Promise<string[]> {
  const next = storedTypeOf(resourceTypesOf(definition));
  const now = next && options.known.find(next.group, next.version, next.resource);
  if (next?.custom === undefined || now?.custom === undefined) return [];
  if (jsonEquals(next.custom.schema, now.custom.schema)) return [];
  const { clock, store, mayList } = options;
  if (!mayList(next)) return [`stored objects were not checked: you may not list ${next.resource}`];
  const accepted = await acceptorOf(now);
  const accepts = await acceptorOf(next);
  const refused: Refused[] = [];
  const end = clock.now() + MOST_TIME;
  let [checked, count] = [0, 0];
  const request = { selector: everything, limit: PAGE, mostHeap: MEMORY.page };
  let isWhole = true;
  pages: for await (const page of eachPage(store, collectionOf(next.group, next.resource), request)) {
    for (const state of page.items) {
      if (checked === MOST_OBJECTS || clock.now() > end) {
        isWhole = false;
        break pages;
      }
      checked += 1;
      const fields = accepts(state);
      if (fields.length === 0 || accepted(state).length > 0) continue;
      count += 1;
      if (refused.length < MOST_NAMED) refused.push({ name: state.name, fields });
    }
  }
  const { resource } = next;
  const more = isWhole ? '' : `; only the first ${checked} were checked`;
  if (count === 0 && isWhole) return [];
  const summary = `the new schema would refuse ${count} of ${checked} stored ${resource}${more}`;
  return [summary, ...refused.map(told)];
}

/** The type in whose version objects are stored. */
function storedTypeOf(types: readonly ResourceType[]): ResourceType | undefined {
  return types.find((type) => apiVersionOf(type) === type.custom?.storedAs) ?? types[0];
}

/** Returns a function that gives the fields of a stored object which a type refuses. */
async function acceptorOf(type: ResourceType): Promise<(state: ObjectState) => readonly string[]> {
  const { custom } = type;
  if (custom === undefined) return () => [];
  const [schema, show] = [await customSchema(custom), await customShow(type, custom)];
  return (state) => schema.validate(show(state).body).map(({ field }) => field);
}

/** An object in a warning. A value of the object does not belong there, and a header has only ASCII. */
function told({ name: { namespace, name }, fields }: Refused): string {
  const object = namespace === '' ? name : `${namespace}/${name}`;
  const named = [...new Set(fields)].filter((field) => field !== '').slice(0, MOST_FIELDS);
  const where = named.length === 0 ? 'a rule' : named.join(', ');
  return `the new schema would refuse ${object}: ${where}`.replace(/[^\x20-\x7e]/g, '?');
}
