import { type JsonObject, metadataOf, objectAt } from '../../../lib/json/index.ts';
import type { Snapshot } from '../../simulation/history.ts';

/** Of the crowd's Tallies those whose status is not what a naive count says. */
export function wrongTallies(tallies: readonly JsonObject[], items: readonly Snapshot[]): string[] {
  return tallies.flatMap((tally) => {
    const { namespace, name } = metadataOf(tally);
    const { labelSelector, groupBy } = objectAt(tally.spec);
    const { count, groups, phase } = objectAt(tally.status ?? {});
    const [, cell] = String(labelSelector).split('=');
    const own = items.filter(
      ({ object, labels }) =>
        object.startsWith(`${namespace}/`) && (cell === undefined || labels.cell === cell),
    );
    const counted = Map.groupBy(own, ({ labels }) => labels.zone);
    const told = (groups ?? []) as { count: number; labels: Record<string, string> }[];
    const isRight =
      phase !== 'Counting' &&
      count === own.length &&
      (groupBy === undefined ||
        (told.length === counted.size &&
          told.every((one) => one.count === counted.get(one.labels.zone)?.length)));
    return isRight
      ? []
      : [`${namespace}/${name}: ${JSON.stringify(tally.status)}, and there are ${own.length}`];
  });
}
