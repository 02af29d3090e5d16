import { quote } from '../../selectors/index.ts';
import type { FieldSet } from './field-set.ts';
import { managerOf } from './managers.ts';
import { type Path, showPath } from './path-element.ts';

/** A field that another manager owns and that would get another value. */
export interface Conflict {
  /** The other manager's {@link managerId}. */
  readonly manager: string;
  readonly path: Path;
}

/** What an apply changes is owned by others, and it did not say `force`. HTTP 409; a cause per field. */
export class ConflictError extends Error {
  override readonly name = 'ConflictError';
  readonly conflicts: readonly Conflict[];
  readonly causes: readonly { readonly message: string; readonly field: string }[];

  constructor(conflicts: readonly Conflict[]) {
    super(`Apply failed with ${describeConflicts(conflicts)}`);
    this.conflicts = conflicts;
    this.causes = conflicts.map(({ manager, path }) => ({
      message: `conflict with ${describeManager(manager)}`,
      field: showPath(path),
    }));
  }

  /** Without the conflicts of fields in `allowed`. */
  without(allowed: FieldSet): ConflictError {
    return new ConflictError(this.conflicts.filter(({ path }) => !allowed.has(path)));
  }
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

/** `"kubectl" using v1`, `"hpa" with subresource "scale" using apps/v1`. */
function describeManager(id: string): string {
  const { manager, operation, apiVersion, subresource } = managerOf(id);
  const part = subresource === '' ? '' : ` with subresource ${quote(subresource)}`;
  const version = operation === 'Update' ? ` using ${apiVersion}` : '';
  return `${quote(manager)}${part}${version}`;
}
