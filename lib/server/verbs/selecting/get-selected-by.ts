import { type Answer, type Call, collectionOfCall, objectNameOf } from '../../http/index.ts';
import { presenterOf } from '../../show/index.ts';
import { notFound } from '../../status/index.ts';
import { LookUp } from './look-up.ts';
import { SELECTION } from './selection.ts';
import { labelsOfNamespace, subjectOf } from './subject-of.ts';

/**
 * GET of `/selectedby`: the carriers that select a stored object. A carrier that selects the object during the whole
 * look-up is listed. Each listed carrier selected it at some moment.
 */
export async function getSelectedBy(call: Call): Promise<Answer> {
  const { options, route } = call;
  const { type, namespace } = route;
  const present = await presenterOf({
    ...call,
    route: { ...route, type: SELECTION, verb: 'list', name: '' },
  });
  const [state, namespaceLabels] = await Promise.all([
    options.store.get(collectionOfCall(call), objectNameOf(call)),
    labelsOfNamespace(options.store, namespace),
  ]);
  if (state === undefined) throw notFound(type, route.name);
  const lookUp = new LookUp(call);
  const subjects = [subjectOf(state.body, namespace, namespaceLabels)];
  const found = await lookUp.selecting({ type, subjects });
  const items = await Promise.all(found.map((one) => lookUp.present(one)));
  return { status: 200, value: present.list(items, {}) };
}
