import { quote } from '../../selectors/index.ts';
import { type Conflict, ConflictError } from './conflict-error.ts';
import { managerOf } from './managers.ts';
import { showPath } from './path-element.ts';

/** Throws if there are any conflicts, with upstream's message. @throws {ConflictError} */
export function throwConflicts(conflicts: readonly Conflict[]): void {
  if (conflicts.length === 0) return;
  const causes = conflicts.map(({ manager, path }) => ({
    message: `conflict with ${describeManager(manager)}`,
    field: showPath(path),
  }));
  throw new ConflictError(`Apply failed with ${describeConflicts(conflicts)}`, conflicts, causes);
}

function describeConflicts(conflicts: readonly Conflict[]): string {
  const [first] = conflicts;
  if (first !== undefined && conflicts.length === 1) {
    return `1 conflict: conflict with ${describeManager(first.manager)}: ${showPath(first.path)}`;
  }
  const lines = [...Map.groupBy(conflicts, ({ manager }) => manager)].flatMap(([manager, own]) => [
    `conflicts with ${describeManager(manager)}:`,
    ...own.map(({ path }) => `- ${showPath(path)}`),
  ]);
  return `${conflicts.length} conflicts: ${lines.join('\n')}`;
}

/** Formats a manager: `"kubectl" using v1`, `"hpa" with subresource "scale" using apps/v1`. */
function describeManager(id: string): string {
  const { manager, operation, apiVersion, subresource } = managerOf(id);
  const part = subresource === '' ? '' : ` with subresource ${quote(subresource)}`;
  const version = operation === 'Update' ? ` using ${apiVersion}` : '';
  return `${quote(manager)}${part}${version}`;
}
