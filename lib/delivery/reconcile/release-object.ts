import { type Collection, metadataOf } from '../../json/index.ts';
import type { ObjectState, Store } from '../../store/index.ts';

/** Removes a finalizer of Winnow. The object is deleted with its last finalizer. */
export async function releaseObject(
  store: Store,
  { name, uid }: ObjectState,
  { collection, finalizer }: { readonly collection: Collection; readonly finalizer: string },
): Promise<void> {
  await store.write(collection, name, (current) => {
    if (current === undefined || current.uid !== uid) return { kind: 'none' };
    const metadata = metadataOf(current.body);
    const finalizers = Array.isArray(metadata.finalizers) ? metadata.finalizers : [];
    const others = finalizers.filter((one) => one !== finalizer);
    if (others.length === 0) return { kind: 'delete', body: current.body };
    if (others.length === finalizers.length) return { kind: 'none' };
    return { kind: 'put', body: { ...current.body, metadata: { ...metadata, finalizers: others } } };
  });
}
