import { type Collection, type JsonObject, metadataOf } from '../../../json/index.ts';
import {
  type Carried,
  carriedBy,
  isSelected,
  type SelectableObject,
  type Selection,
} from '../../../kubernetes/carriers/index.ts';
import {
  apiVersionOf,
  collectionOfType,
  type ResourceType,
  targetResources,
} from '../../../kubernetes/resource-types/index.ts';
import type { FoundSelector, Store } from '../../../store/index.ts';
import type { Call } from '../../http/index.ts';
import { SELECTION } from './selection.ts';

/** The limit of selectors in one answer. It keeps the answer below its maximum size. */
const MOST = 5_000;

/** The subject of a look-up: an object of a type, as it is or as it would be. */
export interface LookUpSubject {
  readonly type: ResourceType;
  readonly subjects: readonly SelectableObject[];
}

/** Finds the carriers that select objects, for one request. */
export class LookUp {
  readonly #store: Store;
  readonly #call: Call;
  #custom: Promise<readonly ResourceType[]> | undefined;

  constructor(call: Call) {
    this.#call = call;
    this.#store = call.options.store;
  }

  /** All selectors that select one of the subjects, each once. @throws {TooLargeError} */
  async selecting({ type, subjects }: LookUpSubject): Promise<readonly FoundSelector[]> {
    const found = new Map<string, FoundSelector>();
    const target = collectionOfType(type);
    for (const subject of subjects) {
      const { namespace, labels } = subject;
      const findings = await this.#store.selecting(
        { target, namespace, labels },
        {
          most: MOST,
          matches: (carried: Selection) => isSelected(carried, subject),
          readCarrier: async (collection, name) => {
            const [state, type] = await Promise.all([
              this.#store.get(collection, name),
              this.#customOf(collection),
            ]);
            if (state === undefined) return undefined;
            const carrier = { collection, namespace: name.namespace, body: state.body };
            return { uid: state.uid, carried: carriedBy(carrier, type?.custom) };
          },
        },
      );
      for (const one of findings.found) found.set(idOf(one), one);
    }
    return [...found].sort(([left], [right]) => (left < right ? -1 : 1)).map(([, one]) => one);
  }

  /** The object that shows a selector in the answer. */
  async present({ collection, name, uid, carried }: FoundSelector): Promise<JsonObject> {
    const { path, selector, fields, namespaceSelector } = carried;
    return {
      apiVersion: apiVersionOf(SELECTION),
      kind: SELECTION.kind,
      metadata: { name: name.name, ...(name.namespace !== '' && { namespace: name.namespace }), uid },
      carrier: await this.#kindOf(collection),
      path,
      selector: `${selector}`,
      ...(!fields.isEmpty && { fieldSelector: `${fields}` }),
      ...(namespaceSelector !== undefined && { namespaceSelector: `${namespaceSelector}` }),
    };
  }

  /** The selectors with their carriers. Reads each carrier to find its controller, if it has one. */
  async withControllers(all: readonly FoundSelector[]): Promise<readonly Carried[]> {
    const states = await Promise.all(all.map(({ collection, name }) => this.#store.get(collection, name)));
    return all.map(({ collection, name, uid, carried }, index) => {
      const controller = controllerOf(states[index]?.body ?? {});
      const carrier = { collection, ...name, uid, ...(controller !== undefined && { controller }) };
      return { carrier, selection: carried };
    });
  }

  async #kindOf(collection: Collection): Promise<JsonObject> {
    const builtin = targetResources.of(collection);
    if (builtin !== undefined) return { apiVersion: builtin.apiVersion, kind: builtin.kind };
    const custom = await this.#customOf(collection);
    return custom === undefined ? {} : { apiVersion: apiVersionOf(custom), kind: custom.kind };
  }

  async #customOf(collection: Collection): Promise<ResourceType | undefined> {
    if (targetResources.of(collection) !== undefined) return undefined;
    this.#custom ??= this.#call.options.customTypes?.() ?? Promise.resolve([]);
    return (await this.#custom).find((type) => collectionOfType(type) === collection);
  }
}

export const idOf = ({ collection, name, carried }: FoundSelector) =>
  `${collection}#${name.namespace}/${name.name}#${carried.path}`;

function controllerOf(body: JsonObject): string | undefined {
  const { ownerReferences } = metadataOf(body);
  const references = Array.isArray(ownerReferences) ? ownerReferences : [];
  for (const reference of references) {
    const { controller, uid } = metadataOf({ metadata: reference });
    if (controller === true) return String(uid);
  }
  return undefined;
}
