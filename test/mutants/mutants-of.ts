import type { Node } from '@babel/types';
import type { Change, Mutant, Site } from './mutant.ts';
import { clauseChanges } from './operators/clauses.ts';
import { conditionChanges, markPredicates } from './operators/conditions.ts';
import { orderingChanges } from './operators/orderings.ts';
import { stepSites } from './operators/steps.ts';
import { enclosing, isFunction, type Place, parseFile, walk } from './syntax.ts';

/** A site with the mutants that its changes make. */
export interface MutantSite extends Site {
  readonly mutants: readonly Mutant[];
}

/** Every mutant of a file by where it stands, those around others first. */
export function mutantsOf(file: string, source: string): MutantSite[] {
  const seen = new Map<string, number>();
  const places = [...walk(parseFile(source).program)];
  for (const place of places) markPredicates(place);
  return places.filter(isInFunction).flatMap((place) =>
    sitesAt(source, place).map((site): MutantSite => {
      const within = enclosing(source, place.parents);
      const line = source.slice(0, site.start).split('\n').length;
      const mutants = site.changes.map((change): Mutant => {
        const { operator, told } = change;
        const id = numbered(seen, `${file} ${within} ${operator}: ${told}`);
        return { id, file, within, operator, change: told, line };
      });
      return { ...site, mutants };
    }),
  );
}

/** What is decided when a module is loaded cannot be changed in a process that runs. */
function isInFunction({ parents }: Place): boolean {
  return parents.some(isFunction);
}

function sitesAt(source: string, place: Place): Site[] {
  const { node } = place;
  const changes: Change[] = isExpression(node)
    ? [...conditionChanges(source, place), ...clauseChanges(source, place), ...orderingChanges(source, place)]
    : [];
  const here: Site[] = changes.length > 0 ? [{ start: node.start ?? 0, end: node.end ?? 0, changes }] : [];
  return [...here, ...stepSites(source, node)];
}

function isExpression({ type }: Node): boolean {
  return /Expression$|^Identifier$|^PrivateName$/.test(type);
}

function numbered(seen: Map<string, number>, id: string): string {
  const count = (seen.get(id) ?? 0) + 1;
  seen.set(id, count);
  return count === 1 ? id : `${id} #${count}`;
}
