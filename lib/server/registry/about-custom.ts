import { isBuiltinGroup } from '../../kubernetes/resource-types/index.ts';
import { splitPath } from '../http/index.ts';

/** Whether the result of a path depends on the custom kinds. Paths of built-in groups do not depend on them. */
export function isAboutCustom(path: string): boolean {
  const [root, ...rest] = splitPath(path);
  switch (root) {
    case undefined:
      return true;
    case 'apis':
      return isForeign(rest[0]);
    case 'openapi':
      return rest[1] === undefined || (rest[1] === 'apis' && isForeign(rest[2]));
    default:
      return false;
  }
}

function isForeign(group: string | undefined): boolean {
  return group === undefined || !isBuiltinGroup(group);
}
