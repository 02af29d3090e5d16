import { type JsonObject, metadataOf } from '../../json/index.ts';
import { CANARY } from '../../platform/index.ts';
import type { objectWriter } from '../../server/index.ts';
import { type ObjectState, type Store, toObject } from '../../store/index.ts';

export type Writer = Pick<ReturnType<typeof objectWriter>, 'create' | 'replace'>;

/** The label that each beat changes: the time of its write, in ms since the epoch. */
export const BEAT = 'winnow.dev/beat';

const { collection, namespace, name } = CANARY;

/** The object as the previous beat left it; undefined where it does not exist yet. */
export function readCanary(store: Store): Promise<ObjectState | undefined> {
  return store.get(collection, { namespace, name });
}

/** The beat that last wrote the object; undefined where none did. */
export function beatOf(state: ObjectState | undefined): string | undefined {
  return state?.labels[BEAT];
}

/** Labels the object anew, or creates it. Returns the beat. */
export async function writeBeat(
  writer: Writer,
  { current, now }: { readonly current: ObjectState | undefined; readonly now: number },
): Promise<string> {
  const beat = String(now);
  if (current !== undefined) {
    await writer.replace(collection, labelled(toObject(current), beat));
  } else if (!(await writer.create(collection, labelled({ metadata: { namespace, name } }, beat)))) {
    throw new Error(`${namespace}/${name} was created by another program meanwhile`);
  }
  return beat;
}

function labelled(object: JsonObject, beat: string): JsonObject {
  const metadata = metadataOf(object);
  return { ...object, metadata: { ...metadata, labels: { [BEAT]: beat } } };
}
