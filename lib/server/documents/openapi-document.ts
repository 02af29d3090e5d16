import type { JsonObject } from '../../json/index.ts';
import type { Components } from '../../kubernetes/openapi/index.ts';
import type { ResourceType } from '../../kubernetes/resource-types/index.ts';
import { openApiPaths } from './openapi-paths.ts';
import { openApiSchemas } from './openapi-schemas.ts';
import { VERSION } from './version.ts';

/** Returns the OpenAPI v3 document of one group and version. `path` is `api/V` or `apis/G/V`. */
export function openApiDocument(
  path: string,
  types: readonly ResourceType[],
  components: Components,
): JsonObject {
  return {
    openapi: '3.0.0',
    info: { title: 'Winnow', version: VERSION.gitVersion },
    paths: Object.assign({}, ...types.map((type) => openApiPaths(`/${path}`, type, components))),
    components: { schemas: openApiSchemas(types, components) },
  };
}
