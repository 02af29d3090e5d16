import { DEFINITIONS } from '../../kubernetes/lifecycle/index.ts';
import { MEMORY } from '../../platform/index.ts';
import { everything } from '../../selectors/index.ts';
import { eachPage, type ObjectState, type Store } from '../../store/index.ts';

/** Reads all definitions at one resourceVersion. */
export async function readDefinitions(store: Store): Promise<{ rv: number; states: ObjectState[] }> {
  const states: ObjectState[] = [];
  let rv = 0;
  for await (const page of eachPage(store, DEFINITIONS, { selector: everything, mostHeap: MEMORY.page })) {
    rv = page.rv;
    states.push(...page.items);
  }
  return { rv, states };
}
